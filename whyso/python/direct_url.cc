// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/direct_url.h"

#include <charconv>

#include "whyso/base/json.h"

namespace whyso::python {
namespace {

std::optional<std::string> find_text(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  const std::string* text = value == nullptr ? nullptr : value->find_text();
  if (text == nullptr) return std::nullopt;
  return *text;
}

DirectUrl::Vcs read_vcs(const json::Value& info) {
  return {.vcs = find_text(info, "vcs").value_or(""),
          .commit_id = find_text(info, "commit_id").value_or(""),
          .requested_revision = find_text(info, "requested_revision")};
}

/// `hash` ("sha256=…") is the older spelling; `hashes` wins.
DirectUrl::Archive read_archive(const json::Value& info) {
  DirectUrl::Archive archive;
  if (const auto hash = find_text(info, "hash")) {
    const auto equals = hash->find('=');
    if (equals != std::string::npos) {
      archive.hashes[hash->substr(0, equals)] = hash->substr(equals + 1);
    }
  }
  const json::Value* hashes = info.find("hashes");
  const json::Object* object = hashes == nullptr ? nullptr : hashes->find_object();
  if (object == nullptr) return archive;
  for (const auto& [algorithm, digest] : *object) {
    if (const std::string* text = digest.find_text()) archive.hashes[algorithm] = *text;
  }
  return archive;
}

DirectUrl::Directory read_directory(const json::Value& info) {
  const json::Value* editable = info.find("editable");
  const bool* is_editable = editable == nullptr ? nullptr : editable->find_bool();
  return {.is_editable = is_editable != nullptr && *is_editable};
}

std::optional<char> read_escape(std::string_view digits) {
  unsigned value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) return std::nullopt;
  return static_cast<char>(value);
}

}  // namespace

Result<DirectUrl> read_direct_url(std::string_view text, std::string_view where) {
  const json::Value value = TRY(json::parse(text, where));
  const auto fail = [&](const char* what) {
    return failure(ErrorKind::malformed, std::string(where), what);
  };
  const auto url = find_text(value, "url");
  if (!url) return fail("has no url");
  const json::Value* vcs = value.find("vcs_info");
  const json::Value* archive = value.find("archive_info");
  const json::Value* directory = value.find("dir_info");
  const int count = (vcs != nullptr) + (archive != nullptr) + (directory != nullptr);
  if (count != 1) return fail("has not exactly one of vcs_info, archive_info and dir_info");
  DirectUrl result;
  result.url = *url;
  result.subdirectory = find_text(value, "subdirectory");
  if (vcs != nullptr) result.info = read_vcs(*vcs);
  if (archive != nullptr) result.info = read_archive(*archive);
  if (directory != nullptr) result.info = read_directory(*directory);
  return result;
}

std::optional<std::string> find_file_path(std::string_view url) {
  if (!url.starts_with("file:")) return std::nullopt;
  url.remove_prefix(5);
  if (url.starts_with("//localhost/")) url.remove_prefix(11);
  if (url.starts_with("///")) url.remove_prefix(2);
  if (!url.starts_with('/') || url.starts_with("//")) return std::nullopt;
  url = url.substr(0, url.find_first_of("#?"));
  std::string path;
  for (std::size_t i = 0; i < url.size(); ++i) {
    const auto escaped = url[i] == '%' ? read_escape(url.substr(i + 1, 2)) : std::nullopt;
    if (escaped) i += 2;
    path += escaped.value_or(url[i]);
  }
  if (path.contains('\0')) return std::nullopt;
  return path;
}

}  // namespace whyso::python
