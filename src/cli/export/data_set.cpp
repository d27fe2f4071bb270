#include "cli/export/data_set.hpp"

#include <cstdio>
#include <filesystem>

#include "base/error.hpp"
#include "base/plural.hpp"
#include "cli/files/measured_data.hpp"
#include "cli/files/output.hpp"

namespace sextant {
namespace {

void make_folder_of_tables(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UserError("`" + folder.string() + "` cannot be created: " + error.message() +
                    ". Name another folder with -o.");
}

}  // namespace

void export_data_set(const std::vector<std::string>& files, const std::string& folder) {
  if (folder.empty())
    throw UserError(
        "`--format data-set` writes several tables into a folder. Name the folder with -o FOLDER.");
  const predict::DataSet data = data_set_of(files);
  for (const auto& [name, text] : predict::files_of(data)) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    make_folder_of_tables(path.parent_path());
    write_output(text, path.string());
  }
  std::fprintf(stderr, "%s of %s on %s\n", plural(data.rows.size(), "row").c_str(),
               plural(data.problems.size(), "problem").c_str(),
               plural(data.machines.size(), "machine").c_str());
}

}  // namespace sextant
