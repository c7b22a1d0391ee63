// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "whyso/base/text.h"
#include "whyso/cli/judge.h"

namespace whyso::cli {
namespace {

/// Kinds of target that are part of the grammar and that this version cannot read.
constexpr std::array<std::string_view, 14> schemes_to_come = {
    "snap:",  "pid://", "docker://", "podman://", "image:", "oci-archive:",  "k8s://",
    "pct://", "lxc://", "ssh://",    "lock:",     "wheel:", "containerd://", "conda://"};

check::Hashing hashing_of(std::string_view word) {
  if (word == "full") return check::Hashing::full;
  return word == "none" ? check::Hashing::none : check::Hashing::contested;
}

std::unexpected<Refusal> refuse(std::string message, std::string hint) {
  return std::unexpected(Refusal{Status::wrong_usage, std::move(message), std::move(hint)});
}

std::string words_of(const Request& request) {
  std::string words = "whyso " + std::string(info_of(request.verb).name);
  for (const auto& argument : request.arguments) words += " " + shell_word(argument);
  return words;
}

}  // namespace

Judged<Question> question_of(const Options& options, const Resources& resources) {
  Question question = {.target = options.target(),
                       .environment = options.settings.given_text("env"),
                       .root = options.settings.given_text("root"),
                       .hashing = hashing_of(options.settings.text("hash")),
                       .sonames = resources.sonames,
                       .preloads = resources.preloads,
                       .first_use = resources.first_use,
                       .families = resources.families,
                       .asked_as = words_of(options.request)};
  for (const auto scheme : schemes_to_come) {
    if (!question.target.starts_with(scheme)) continue;
    return refuse("targets like " + std::string(scheme) + "... cannot be read by this version",
                  "folders, a python, and rootfs:DIR can");
  }
  constexpr std::string_view rootfs = "rootfs:";
  if (question.target == "-") {
    return refuse("snapshots cannot be read by this version",
                  "folders, a python, and rootfs:DIR can");
  }
  if (question.target.starts_with(rootfs)) {
    if (!question.root.empty()) return refuse("two roots: --root and " + question.target, "");
    question.root = question.target.substr(rootfs.size());
    question.target.clear();
    if (question.root.empty()) return refuse("rootfs: needs a folder", "rootfs:/mnt/image");
  }
  return question;
}

void Stopwatch::lap(std::string_view stage) {
  const auto now = Clock::now();
  laps_.push_back({stage, std::chrono::duration<double>(now - last_).count()});
  last_ = now;
}

double Stopwatch::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

}  // namespace whyso::cli
