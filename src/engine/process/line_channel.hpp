// Sends and receives lines of text over a file descriptor, for the protocol between parent and worker.
#pragma once

#include <string>

namespace sextant {

enum class Received { line, nothing, closed };

class LineReader {
 public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}
  // Reads the next line, without its line break. Waits at most `seconds` for it (< 0: without limit).
  Received next(std::string* line, double seconds);
  // Reads what is available without waiting. For callers that poll the descriptor themselves.
  Received take(std::string* line);
  bool has_line() const { return buffer_.find('\n', begin_) != std::string::npos; }

 private:
  bool cut(std::string* line);

  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;
};

// Writes the line and a line break. Returns false if the other end is closed. Never raises SIGPIPE on a
// socket.
bool write_line(int descriptor, const std::string& line);

}  // namespace sextant
