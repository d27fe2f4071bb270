// Stands in for the reader of C++ sources in a build without libclang's headers.
#include "base/error.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

SourceFunctions functions_of(const std::string&, const std::string& file) {
  throw UserError(file +
                  " cannot be read, because this build lacks libclang. Install it with `apt-get install "
                  "libclang-dev`, then configure and build Sextant again.");
}

}  // namespace sextant::own
