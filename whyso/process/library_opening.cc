// SPDX-License-Identifier: Apache-2.0
// The part of Execution that maps objects.
#include <algorithm>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/process/execution.h"
#include "whyso/process/file_pattern.h"

namespace whyso::process {
namespace {

constexpr std::size_t most_choices = 64;
constexpr std::string_view words_of_torch = "Could not load this library: ";

const std::string& path_of(const loader::Process& process, Id<loader::Object> object) {
  return process.loader().files().text(process.objects()[object].path);
}

MissingName missing_name(const loader::Process& process, const loader::Request& request) {
  MissingName missing{.name = process.loader().files().text(request.name),
                      .ending = request.ending,
                      .search = request.search};
  if (request.by) missing.requirer = path_of(process, *request.by);
  return missing;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view folder_of_file(std::string_view path) { return path.substr(0, path.rfind('/')); }

bool has_mapped(const loader::Process& process, std::string_view part) {
  return std::ranges::any_of(process.order(), [&](Id<loader::Object> object) {
    return path_of(process, object).contains(part);
  });
}

/// "12" of `cuda: Optional[str] = '12.8'` in torch/version.py.
std::string cuda_major(std::string_view text) {
  auto at = text.find("\ncuda");
  if (at == std::string_view::npos) return {};
  const std::string_view line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  at = line.find_first_of("'\"");
  if (at == std::string_view::npos) return {};
  const std::string_view value = line.substr(at + 1);
  return std::string(value.substr(0, value.find_first_not_of("0123456789")));
}

}  // namespace

/// Maps what is asked for, or says why not and leaves the process as it was.
bool Execution::map(const loader::OpenRequest& request, How how,
                    std::optional<PredictedFailure>& failure) {
  loader::Process trial = process_;
  const auto outcome = trial.open(request);
  if (!outcome.error) {
    add_loads(trial, outcome.mapped, how);
    process_ = std::move(trial);
    return true;
  }
  failure = PredictedFailure{.name = request.name,
                             .path = request.name,
                             .error = outcome.error->text(loader::Speaker::dlopen),
                             .is_crash = outcome.error->ends_process()};
  for (const auto index : outcome.failed) {
    failure->missing.push_back(missing_name(trial, trial.requests()[index]));
  }
  return false;
}

std::optional<Execution::Failure> Execution::load(const std::string& name, const Path& file) {
  std::optional<PredictedFailure> failure;
  if (map({.name = graph_->search().path().spelled(file)}, How::extension, failure)) {
    return std::nullopt;
  }
  failure->name = name;
  failure->error.insert(0, "ImportError: ");
  return fail(*std::move(failure), Exception::import_error);
}

/// The names that a statement may open, those that are there.
std::vector<std::string> Execution::choices(const LibraryOpening& opening) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    const bool is_new = std::ranges::find(names, name) == names.end();
    if (is_new && names.size() < most_choices) names.push_back(std::move(name));
  };
  const bool is_one = opening.names.texts.size() == 1;
  for (const auto& each : opening.names.texts) {
    const std::string text = normalized(each.text);
    const bool is_path = text.contains('/');
    const bool is_asked_for = !is_path || (is_one && !each.is_pattern);
    if (each.is_guess && !is_possible_) continue;
    if (is_asked_for && !each.is_pattern) {
      add(each.text);
    } else {
      std::ranges::for_each(files_fitting(graph_->search(), text), add);
    }
  }
  return names;
}

std::optional<Execution::Failure> Execution::open(const LibraryOpening& opening) {
  if (!opening.names.is_known()) {
    unknown_.push_back({ErrorKind::unsupported, place(), "opens a library by a computed name"});
    return std::nullopt;
  }
  const auto names = choices(opening);
  const bool is_sure = names.size() == 1;
  if (!is_sure && extent_ < Certainty::conditional) return std::nullopt;
  for (const auto& name : names) {
    const bool is_library = file_name(name).contains(".so");
    if (!is_library) continue;
    if (const auto failure = open_one(name, is_sure ? opening.strictness : Strictness::unknown))
      return failure;
  }
  return std::nullopt;
}

std::optional<Execution::Failure> Execution::open_one(const std::string& name,
                                                      Strictness strictness) {
  std::optional<PredictedFailure> failure;
  const std::string code = text_of_current();
  const PreloadList* const list = habits_->find_list(file_name(name), code);
  const bool works = map({.name = name}, How::ctypes, failure);
  if (list != nullptr && (!works || has_mapped(process_, "libcudart.so"))) preload(*list);
  if (works) return std::nullopt;
  const bool mends = list != nullptr && map({.name = name}, How::ctypes, failure);
  if (mends || strictness == Strictness::unknown) return std::nullopt;
  failure->error.insert(0, "OSError: ");
  failure->cause = failure->error;
  if (strictness == Strictness::torch_ops && torch_has_words()) {
    failure->error = "OSError: " + std::string(words_of_torch) + name;
  }
  return fail(*std::move(failure), Exception::os_error);
}

/// Newer ones say in their own words what the loader says (torch/_ops.py).
bool Execution::torch_has_words() {
  const FoundModule& found = graph_->search().find("torch._ops");
  if (!found.file) return false;
  const auto content = graph_->search().read(*found.file);
  return content.is_present() && content.value().blob.text().contains(words_of_torch);
}

/// The source of the topmost module, where a list may be about it.
std::string Execution::text_of_current() {
  if (stack_.empty() || habits_->preloads.empty()) return {};
  const auto& found = graph_->found(stack_.back().module);
  if (found.kind != ModuleKind::source) return {};
  const auto content = graph_->search().read(*found.file);
  return content.is_present() ? std::string(content.value().blob.text()) : std::string();
}

/// Whatever fails ends it without a word.
void Execution::preload(const PreloadList& list) {
  for (const auto& each : list.preloads) {
    const auto path = find_preload(each);
    if (!path && each.is_required) return;
    std::optional<PredictedFailure> failure;
    if (path && !map({.name = *path}, How::ctypes, failure)) return;
  }
}

std::optional<std::string> Execution::find_preload(const Preload& preload) {
  const SearchPath& path = graph_->search().path();
  const std::string cuda = cuda_folder();
  for (const auto& entry : path.folders) {
    for (const auto& folder :
         {"/nvidia/" + preload.folder, "/nvidia/" + cuda, "/" + preload.folder}) {
      if (folder == "/nvidia/") continue;
      const auto files =
          files_fitting(graph_->search(), entry.text() + folder + "/lib/" + preload.pattern);
      if (!files.empty()) return path.spelled(*Path::parse(files.front()));
    }
  }
  return std::nullopt;
}

/// "cu13" by the version.py beside the source; empty where it does not tell.
std::string Execution::cuda_folder() {
  if (stack_.empty()) return {};
  const auto& found = graph_->found(stack_.back().module);
  if (!found.file || found.portions.empty()) return {};
  const auto content = graph_->search().read(found.portions.front() / "version.py");
  if (!content.is_present()) return {};
  const std::string major = cuda_major(content.value().blob.text());
  return major.empty() ? std::string() : "cu" + major;
}

void Execution::open_first_uses() {
  for (std::size_t i = 0; i < process_.objects().size(); ++i) {
    const auto id = process_.objects().id(i);
    const auto& object = process_.objects()[id];
    if (!object.file || object.is_unmapped) continue;
    const auto& files = process_.loader().files();
    const auto& soname = files.file(*object.file).soname;
    const std::string name(soname ? files.text(*soname) : file_name(path_of(process_, id)));
    for (const auto& use : habits_->first_uses) {
      if (use.library == name) open_first_use(id, use.opens);
    }
  }
}

void Execution::open_first_use(Id<loader::Object> object, const std::string& name) {
  asker_ = path_of(process_, object);
  std::vector<std::string> names = {name};
  if (name.contains('*')) {
    const std::string folder(folder_of_file(normalized(asker_)));
    names = files_fitting(graph_->search(), folder + "/" + name);
  }
  std::optional<PredictedFailure> failure;
  for (const auto& each : names) {
    if (map({.name = each, .caller = object}, How::dlopen, failure)) return;
  }
}

void Execution::add_loads(const loader::Process& process,
                          const std::vector<Id<loader::Object>>& mapped, How how) {
  for (const auto id : mapped) {
    const auto& object = process.objects()[id];
    PredictedLoad load{.path = path_of(process, id),
                       .file = object.file,
                       .how = object.parent ? How::needed : how,
                       .when = when_,
                       .likelihood = likelihood()};
    load.by = object.parent ? path_of(process, *object.parent) : place();
    loads_.push_back(std::move(load));
  }
}

}  // namespace whyso::process
