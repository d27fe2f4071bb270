#include "predict/data_folder.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.hpp"
#include "predict/folds.hpp"
#include "predict/sha256.hpp"
#include "tuner/file_text.hpp"

namespace sextant {
namespace {

namespace fs = std::filesystem;

// Verifies the folder's files. The file `checksums` has the format of `sha256sum`.
void require_checksums(const fs::path& folder) {
  std::ifstream lines(folder / "checksums");
  for (std::string sum, name; lines >> sum >> name;) {
    std::ifstream file(folder / name, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    if (predict::sha256(bytes) != sum)
      throw UserError((folder / name).string() +
                      " does not match its entry in the file `checksums`. Create both files again with "
                      "scripts/make-data-set.");
  }
}

// Text of the table, from the plain or the compressed (.gz) file; nothing if neither exists.
std::optional<std::string> text_of_table(const fs::path& folder, const std::string& name) {
  for (const char* end : {"", ".gz"})
    if (const fs::path path = folder / (name + end); fs::exists(path))
      return tuner::text_of_file(path.string());
  return std::nullopt;
}

}  // namespace

bool is_data_set_folder(const std::string& path) { return fs::is_directory(path); }

predict::DataSet data_set_in(const std::string& folder) {
  require_checksums(folder);
  std::vector<std::string> names = {"cases.csv", "ceilings.csv", "machines.csv", "problems.csv",
                                    "searches.csv"};
  for (const predict::Split split : predict::all_splits)
    names.push_back(std::string("folds/") + name_of(split) + ".csv");
  std::map<std::string, std::string> files;
  for (const std::string& name : names)
    if (auto text = text_of_table(folder, name)) files[name] = std::move(*text);
  if (!files.contains("cases.csv"))
    throw UserError(
        folder +
        " is a folder without a data set (it lacks cases.csv). Create a data set with `sextant export FILE… "
        "--format data-set -o FOLDER`, or name a results file in the folder, such as " +
        (fs::path(folder) / "FILE").string());
  try {
    return predict::data_set_from(files);
  } catch (const UserError& error) {
    throw UserError(folder + ": " + as_sentence(error.what()) +
                    " Create the data set again with `sextant export FILE… --format data-set -o FOLDER`.");
  }
}

}  // namespace sextant
