// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/conda_meta.h"

#include "whyso/base/json.h"

namespace whyso::python {
namespace {

std::optional<std::string> find_text(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  const std::string* text = value == nullptr ? nullptr : value->find_text();
  if (text == nullptr) return std::nullopt;
  return *text;
}

/// The texts of an array member; empty where there is none.
std::vector<std::string> texts(const json::Value& object, std::string_view key) {
  std::vector<std::string> result;
  const json::Value* value = object.find(key);
  const json::Array* array = value == nullptr ? nullptr : value->find_array();
  if (array == nullptr) return result;
  for (const json::Value& element : *array) {
    if (const std::string* text = element.find_text()) result.push_back(*text);
  }
  return result;
}

std::optional<CondaFile> read_file(const json::Value& entry) {
  const auto path = find_text(entry, "_path");
  if (!path) return std::nullopt;
  CondaFile file;
  file.path = *path;
  file.path_type = find_text(entry, "path_type").value_or("");
  file.sha256 = find_text(entry, "sha256");
  file.sha256_in_prefix = find_text(entry, "sha256_in_prefix");
  const json::Value* size = entry.find("size_in_bytes");
  const std::int64_t* number = size == nullptr ? nullptr : size->find_integer();
  if (number != nullptr && *number >= 0) file.size = static_cast<std::uint64_t>(*number);
  return file;
}

std::vector<CondaFile> read_files(const json::Value& package) {
  std::vector<CondaFile> files;
  const json::Value* data = package.find("paths_data");
  const json::Value* paths = data == nullptr ? nullptr : data->find("paths");
  const json::Array* entries = paths == nullptr ? nullptr : paths->find_array();
  if (entries == nullptr) {
    for (std::string& path : texts(package, "files")) {
      CondaFile file;
      file.path = std::move(path);
      files.push_back(std::move(file));
    }
    return files;
  }
  for (const json::Value& entry : *entries) {
    if (auto file = read_file(entry)) files.push_back(*std::move(file));
  }
  return files;
}

}  // namespace

Result<CondaPackage> read_conda_meta(std::string_view text, std::string_view where) {
  const json::Value value = TRY(json::parse(text, where));
  CondaPackage package;
  package.name = find_text(value, "name").value_or("");
  if (package.name.empty()) {
    return failure(ErrorKind::malformed, std::string(where), "names no package");
  }
  package.version = find_text(value, "version").value_or("");
  package.build = find_text(value, "build").value_or("");
  package.channel = find_text(value, "channel").value_or("");
  package.files = read_files(value);
  package.depends = texts(value, "depends");
  return package;
}

}  // namespace whyso::python
