// sextant new: drafts the description of a file's own functions, at its head.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "own/cache.hpp"
#include "own/signature.hpp"

namespace sextant {
namespace {

void describe_file(const std::string& file) {
  const std::filesystem::path path = file;
  const std::string ending = path.extension();
  if (ending != ".cu" && ending != ".cpp" && ending != ".cc")
    throw UserError(file + " is no source (.cu, .cpp) that could be described");
  std::string source;
  if (!own::read_file(path, &source)) throw UserError("there is no file " + file);
  if (!own::write_file(path, own::draft_of(source, file) + source)) throw UserError("cannot write " + file);
  std::fprintf(stderr,
               "%s begins with a description of its functions now: read it, mend what is guessed, then\n"
               "  sextant verify --load %s\n",
               file.c_str(), file.c_str());
}

}  // namespace

void add_new(CLI::App& app, int*) {
  CLI::App* command = app.add_subcommand("new", "Draft the description of a kernel of your own");
  const auto file = std::make_shared<std::string>();
  command
      ->add_option("file", *file,
                   "A source with functions to measure; its description becomes its first comment")
      ->type_name("FILE.cu|FILE.cpp")
      ->required();
  command->footer("Example:\n  sextant new saxpy.cu");
  command->callback([file] { describe_file(*file); });
}

}  // namespace sextant
