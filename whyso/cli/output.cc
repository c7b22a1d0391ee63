// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace whyso::cli {
namespace {

/// A file that cannot be opened is wrong usage; one that cannot take all is a lost result.
Status write_file(const Streams::File& file, Streams& streams) {
  const int descriptor =
      open(file.name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
  if (descriptor < 0) {
    streams.complain(file.name + ": " + std::strerror(errno));
    return Status::wrong_usage;
  }
  int error = write_all(descriptor, file.text);
  if (close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) return Status::good;
  streams.complain(file.name + ": " + std::strerror(error), "the result is lost");
  return Status::incomplete;
}

}  // namespace

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

Status write_streams(Streams streams, Status status) {
  for (const auto& file : std::vector<Streams::File>(std::move(streams.files))) {
    const Status written = write_file(file, streams);
    if (written != Status::good) status = written;
  }
  const int error = write_all(STDOUT_FILENO, streams.out);
  if (error != 0) status = Status::incomplete;
  // A reader that has gone away wants to hear no more, `whyso | head` is no mishap.
  if (error != 0 && error != EPIPE) {
    streams.complain("standard output: " + std::string(std::strerror(error)), "the result is lost");
  }
  // Where this fails there is nobody left to tell.
  (void)write_all(STDERR_FILENO, streams.err);
  return status;
}

}  // namespace whyso::cli
