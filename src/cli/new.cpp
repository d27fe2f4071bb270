// sextant new: creates a folder for a user kernel, or adds a description at the start of a source file.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "base/child.hpp"
#include "cli/commands.hpp"
#include "cli/new/file_draft.hpp"
#include "cli/new/folder.hpp"

namespace sextant {
namespace {

void make_folder(const std::string& path) {
  write_kernel_folder(path);
  std::fprintf(stderr,
               "%s holds a working example. Replace it by your kernel, then\n  sextant verify --load %s\n",
               path.c_str(), shell_text({path}).c_str());
}

}  // namespace

void add_new(Command app, int*) {
  Command command = app.add_subcommand("new", "Create the files for a kernel of your own");
  const auto file = std::make_shared<std::string>();
  command
      .add_option("what", *file,
                  "Create folder NAME with an example kernel, or write a kernel description into FILE")
      .type_name("NAME|FILE.cu|FILE.cpp")
      .required();
  command.footer(
      "`sextant new FILE` writes a description of the file's functions into the first comment of FILE. The "
      "command also adds an OpenMP directive before a loop whose iterations are independent. Only the "
      "variant `openmp` uses that directive.\n"
      "Examples:\n"
      "  sextant new saxpy               writes kernel.cpp, serial.cpp, openmp.cpp, cuda.cu, CMakeLists.txt\n"
      "  sextant verify --load saxpy     builds the folder, then checks the kernel\n"
      "  sextant new saxpy.cu            describes the functions of that file");
  command.callback([file] {
    if (std::filesystem::path(*file).has_extension())
      describe_file(*file);
    else
      make_folder(*file);
  });
}

}  // namespace sextant
