// Lines of text over a descriptor: what parent and worker talk by.
#pragma once

#include <string>

namespace sextant {

enum class Received { line, nothing, closed };

class LineReader {
 public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}
  // The next line without its end; waits at most `seconds` (< 0: without limit) for it.
  Received next(std::string* line, double seconds);
  // Takes what can be read now without waiting, for use with a poll of one's own.
  Received take(std::string* line);
  bool has_line() const { return buffer_.find('\n', begin_) != std::string::npos; }

 private:
  bool cut(std::string* line);

  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;
};

// Writes the line and its end; false if the other end is gone. Never raises SIGPIPE on a socket.
bool write_line(int descriptor, const std::string& line);

}  // namespace sextant
