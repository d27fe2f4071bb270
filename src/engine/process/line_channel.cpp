#include "engine/process/line_channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "engine/case/sampling.hpp"

namespace sextant {

bool LineReader::cut(std::string* line) {
  const std::size_t end = buffer_.find('\n', begin_);
  if (end == std::string::npos) return false;
  line->assign(buffer_, begin_, end - begin_);
  begin_ = end + 1;
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = 0;
  }
  return true;
}

Received LineReader::take(std::string* line) {
  if (cut(line)) return Received::line;
  char chunk[65536];
  const ssize_t got = ::read(descriptor_, chunk, sizeof chunk);
  if (got < 0) return errno == EINTR || errno == EAGAIN ? Received::nothing : Received::closed;
  if (got == 0) return Received::closed;
  buffer_.erase(0, begin_);
  begin_ = 0;
  buffer_.append(chunk, static_cast<std::size_t>(got));
  return cut(line) ? Received::line : Received::nothing;
}

Received LineReader::next(std::string* line, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (!has_line()) {
    const double left =
        seconds < 0
            ? -1
            : seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds >= 0 && left <= 0) return Received::nothing;
    pollfd entry{descriptor_, POLLIN, 0};
    const int ready = ::poll(&entry, 1, left < 0 ? -1 : static_cast<int>(left * 1000) + 1);
    if (ready < 0 && errno != EINTR) return Received::closed;
    if (ready <= 0) continue;
    const Received received = take(line);
    if (received != Received::nothing) return received;
  }
  return take(line);
}

bool write_line(int descriptor, const std::string& line) {
  const std::string text = line + '\n';
  for (std::size_t done = 0; done < text.size();) {
    ssize_t written = ::send(descriptor, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (written < 0 && errno == ENOTSOCK)
      written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace sextant
