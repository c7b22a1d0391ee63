// SPDX-License-Identifier: Apache-2.0
// What a process consists of, as values: objects in order, and the requests that brought them.
// Decides nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "whyso/base/table.h"
#include "whyso/loader/files.h"
#include "whyso/loader/id_list.h"
#include "whyso/loader/search.h"

namespace whyso::loader {

enum class ObjectKind : std::uint8_t {
  program,
  loader,   ///< ld.so itself
  vdso,     ///< the kernel's own object: has no file
  library,  ///< loaded at start or by dlopen
};

/// A mapped file in one process: a link_map.
struct Object {
  ObjectKind kind = ObjectKind::library;
  NameId path;       ///< as the loader spells it (l_name), never canonical; "" for the program
  NameId requested;  ///< the name that it was first asked for by
  std::optional<Id<Opening>> opening;
  std::optional<Id<KnownFile>> file;
  std::optional<Id<Object>> parent;     ///< whose dependency list loaded it; none after dlopen
  std::optional<Id<RpathChain>> rpath;  ///< the RPATHs of itself and of its loaders
  std::optional<Id<SearchPlan>> plan;   ///< how it searches; nothing for ld.so and the vDSO
  bool is_unmapped = false;             ///< taken away, by a dlopen that failed or a dlclose
  bool is_opened = false;               ///< the program, or the root of a dlopen that worked
  bool is_from_start = false;           ///< was there before the program ran
  bool is_kept = false;                 ///< NODELETE: no dlclose takes it away
  bool is_to_be_kept = false;           ///< the same once the dlopen that brings it has worked
  std::uint32_t open_count = 0;         ///< dlopens not yet closed

  IdList needs;        ///< itself and what it needs; empty where it is a root from the beginning
  IdList search_list;  ///< of a root: all that its load brought, breadth first
  IdList init_order;   ///< the same, each before what it needs
  IdList scope;        ///< the roots in whose search lists its symbols are looked for, in order
  IdList relocation_needs;      ///< objects that its symbols were bound to without a DT_NEEDED
  bool is_symbolic = false;     ///< looks into itself first (DT_SYMBOLIC)
  bool is_global = false;       ///< is in the search list of the program
  bool is_relocated = false;    ///< its symbols are bound
  bool binds_lazily = false;    ///< ... but calls not before they are made
  bool is_initialized = false;  ///< its constructors have run
  bool is_tls_dynamic = false;  ///< its TLS has been used and must not become static any more
  std::uint64_t tls_begin = 0;  ///< its block of static TLS, as glibc counts; it has one where
  std::uint64_t tls_end = 0;    ///< the end is not 0
};

enum class Asking : std::uint8_t { program, preload, needed, auxiliary, filter, dlopen, audit };

/// How a request ended.
enum class Ending : std::uint8_t {
  matched_name,  ///< something loaded bears that name: no search, no file is touched
  matched_file,  ///< the file that was found is loaded already under another path
  mapped,        ///< a new object
  missing,       ///< nothing was found
  refused,       ///< a file was found and the loader stops at it, or tokens are forbidden
  not_loaded,    ///< RTLD_NOLOAD, and it is not
};

/// One name that was asked for.
struct Request {
  NameId name;  ///< with its tokens expanded, as the loader prints it
  std::optional<Id<Object>> by;
  Asking asking = Asking::needed;
  Ending ending = Ending::mapped;
  std::optional<Id<Object>> object;  ///< what serves it
  std::optional<Id<Search>> search;  ///< nothing where a name matched
};

/// The objects of one process in the loader's order, with the names that they answer to. A value;
/// ids stay valid when objects are unmapped.
class ObjectList {
 public:
  /// Appends an object that answers to its path, the name it was requested by and `soname`. Those
  /// with a file other than the program's are found by it.
  Id<Object> add(const Object& object, std::optional<NameId> soname, bool is_found_by_file);
  void add_name(Id<Object> object, NameId name);
  /// A name that matched: if it was the soname, the object now bears it for good.
  void note_asked_for(Id<Object> object, NameId name);

  /// The first in order that bears the name (_dl_name_match_p or its soname).
  [[nodiscard]] std::optional<Id<Object>> find(NameId name) const;
  [[nodiscard]] std::optional<Id<Object>> find(Id<KnownFile> file) const;
  /// Is it the object's path or a name that it was asked for by?
  [[nodiscard]] bool bears(Id<Object> object, NameId name) const;
  /// The same without sonames that nobody has asked for yet.
  [[nodiscard]] std::optional<Id<Object>> find_asked_for(NameId name) const;

  /// Takes away every object from the `first`-th on.
  void unmap_from(std::size_t first);
  void unmap(const std::vector<Id<Object>>& objects);
  /// Out of the order, but not away: it is found no more.
  void hide(Id<Object> object);
  void move_before(Id<Object> object, Id<Object> other);
  void insert_behind(Id<Object> object, Id<Object> other);

  [[nodiscard]] const Table<Object>& table() const { return table_; }
  [[nodiscard]] Object& operator[](Id<Object> id) { return table_[id]; }
  [[nodiscard]] const Object& operator[](Id<Object> id) const { return table_[id]; }
  [[nodiscard]] const std::vector<Id<Object>>& order() const { return order_; }

 private:
  void index();

  Table<Object> table_;
  std::vector<Id<Object>> order_;
  using BorneName = std::pair<Id<Object>, NameId>;

  std::vector<BorneName> names_;  // paths and names that were asked for
  std::vector<BorneName> sonames_;
  std::vector<std::pair<Id<Object>, Id<KnownFile>>> files_;
  std::vector<std::int32_t> by_name_;        // the object of a NameId, -1 where none bears it
  std::vector<std::int32_t> by_asked_name_;  // the same without sonames
  std::vector<std::int32_t> by_file_;        // the same by Id<KnownFile>
};

}  // namespace whyso::loader
