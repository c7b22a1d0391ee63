// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/module_load.h"

#include <utility>

namespace whyso::check {
namespace {

using loader::Speaker;

FailedRequest failed_request(const loader::Process& process, const loader::Request& request) {
  const auto& files = process.loader().files();
  FailedRequest failed{
      .name = files.text(request.name), .ending = request.ending, .search = request.search};
  if (request.by) failed.requirer = files.text(process.objects()[*request.by].path);
  return failed;
}

std::string error_text(const loader::LoadError& error) {
  const std::string signal = error.is_overflow ? "SIGSEGV" : "SIGBUS";
  return error.is_crash ? error.object + ": the process dies of " + signal + ", without a message"
                        : error.text(Speaker::dlopen);
}

}  // namespace

std::vector<ServedRequest> served_requests(const loader::Process& process, std::size_t first) {
  std::vector<ServedRequest> served;
  const auto& requests = process.requests();
  for (std::size_t i = first; i < requests.size(); ++i) {
    const loader::Request& request = requests[i];
    const bool is_found =
        request.ending == loader::Ending::mapped || request.ending == loader::Ending::matched_file;
    if (!is_found || !request.search) continue;
    ServedRequest one{.search = *request.search};
    if (request.by) one.by = process.objects()[*request.by].file;
    served.push_back(one);
  }
  return served;
}

StartedPython start_python(loader::Loader& loader, std::string program) {
  StartedPython python{.program = std::move(program)};
  loader::Process process(loader);
  const auto outcome = process.start(python.program);
  if (outcome.error) {
    python.error = outcome.error->text(Speaker::program_start);
  } else {
    python.process = std::move(process);
  }
  return python;
}

ModuleLoad load_one(const StartedPython& python, const NativeObject& object, NativeId id) {
  ModuleLoad load{.module = id};
  loader::Process process = *python.process;
  const std::size_t before = process.requests().size();
  const auto outcome = process.open({.name = object.import_path});
  if (outcome.error) load.error = error_text(*outcome.error);
  load.is_crash = outcome.error && outcome.error->is_crash;
  for (const auto mapped : outcome.mapped) {
    const auto& file = process.objects()[mapped].file;
    if (file) load.mapped.push_back(*file);
  }
  load.served = served_requests(process, before);
  for (const auto index : outcome.failed) {
    load.failed.push_back(failed_request(process, process.requests()[index]));
  }
  // What is wrong with the module itself is no request of another object.
  if (outcome.error && load.failed.empty()) {
    load.failed.push_back({.name = object.import_path, .ending = loader::Ending::refused});
  }
  return load;
}

std::vector<ModuleLoad> load_all(const StartedPython& python, const Table<NativeObject>& natives,
                                 Role role) {
  std::vector<ModuleLoad> loads;
  if (!python.process) return loads;
  for (std::size_t i = 0; i < natives.size(); ++i) {
    const NativeId id = natives.id(i);
    if (natives[id].role == role) loads.push_back(load_one(python, natives[id], id));
  }
  return loads;
}

}  // namespace whyso::check
