#include "tuner/file_text.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#ifdef SEXTANT_HAVE_ZLIB
  #include <zlib.h>
#endif

namespace sextant::tuner {
namespace {

#ifdef SEXTANT_HAVE_ZLIB
constexpr std::size_t most_bytes = std::size_t{2} << 30;

std::string unpacked(const std::string& path, const std::string& packed) {
  const auto damaged = [&](const std::string& why, const char* remedy = "Copy or create the file again.") {
    return UserError(path + " cannot be decompressed (" + why + "). " + remedy);
  };
  z_stream stream = {};
  constexpr int gzip = 16 + MAX_WBITS;
  if (inflateInit2(&stream, gzip) != Z_OK)
    throw damaged("zlib does not start", "Decompress the file first with gunzip.");
  struct End {
    z_stream* stream;
    ~End() { inflateEnd(stream); }
  } const end{&stream};
  std::string text;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  for (int code = Z_OK; code != Z_STREAM_END;) {
    char part[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = sizeof part;
    code = inflate(&stream, Z_NO_FLUSH);
    if (code == Z_BUF_ERROR || (code == Z_OK && stream.avail_in == 0 && stream.avail_out > 0))
      throw damaged("the end of the file is missing");
    if (code != Z_OK && code != Z_STREAM_END) throw damaged(stream.msg ? stream.msg : "the file is damaged");
    text.append(part, sizeof part - stream.avail_out);
    if (text.size() > most_bytes) throw damaged("the content is larger than 2 GiB", "Name a smaller file.");
  }
  return text;
}
#else
std::string unpacked(const std::string& path, const std::string&) {
  throw UserError(path +
                  " is compressed, but this build has no zlib. Decompress the file first with gunzip.");
}
#endif

}  // namespace

std::string text_of_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw UserError(path + " is a folder. Name a file in it.");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw UserError(path + " cannot be read (" + std::strerror(errno) +
                    "). Check the file's name and permissions.");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const bool packed = text.size() > 2 && text[0] == '\x1f' && text[1] == '\x8b';
  return packed ? unpacked(path, text) : text;
}

}  // namespace sextant::tuner
