// SPDX-License-Identifier: Apache-2.0
// The value of every option and where it came from: command line, variable, file, or default.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/json.h"
#include "whyso/cli/options.h"

namespace whyso::cli {

/// Variables of the environment by name.
using Variables = std::map<std::string, std::string, std::less<>>;

/// Values from one place. An option with no values is switched off there.
struct Layer {
  std::string origin;  ///< "the command line", "the environment", the name of a file
  Given given;
};

struct Setting {
  const OptionInfo* option = nullptr;
  std::vector<std::string> values;  ///< empty where not given, or off
  bool is_given = false;
  std::string origin;  ///< "default", "the command line", "WHYSO_FORMAT", "/home/me/whyso.toml"

  /// "--select", "WHYSO_SELECT", "/home/me/whyso.toml: select": where one would change it.
  [[nodiscard]] std::string place() const;
};

/// All settings, in the order of the table of options.
class Settings {
 public:
  explicit Settings(std::vector<Setting> rows) : rows_(std::move(rows)) {}

  [[nodiscard]] const std::vector<Setting>& rows() const { return rows_; }

  /// `name` must be an option's.
  [[nodiscard]] const Setting& operator[](std::string_view name) const;

  /// The last value, or the table's fallback.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// The last value, empty where not given.
  [[nodiscard]] std::string given_text(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& list(std::string_view name) const {
    return (*this)[name].values;
  }
  [[nodiscard]] bool has(std::string_view name) const { return !(*this)[name].values.empty(); }

 private:
  std::vector<Setting> rows_;
};

/// Values of the variables WHYSO_*; a name that is misspelt or a value that is none of the choices
/// is wrong. Names unlike all of ours are left alone.
[[nodiscard]] Usage<Layer> variable_layer(const Variables& variables);

/// Values of a table of a configuration file. `ignore` may also hold tables, which are no values
/// and are left to read_suppressions. Unknown keys are wrong.
[[nodiscard]] Usage<Layer> file_layer(const json::Object& table, const std::string& file);

/// The strongest layer first. An option of the command line that `verb` does not have is wrong.
[[nodiscard]] Usage<Settings> settle(const Layer& command_line, const std::vector<Layer>& weaker,
                                     Verb verb);

}  // namespace whyso::cli
