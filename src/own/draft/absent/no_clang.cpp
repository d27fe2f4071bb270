// Stands in for the reader of C++ sources in a build without libclang's headers.
#include "base/error.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

SourceFunctions functions_of(const std::string&, const std::string& file) {
  throw UserError(
      file +
      " cannot be read: this build has no libclang. Install it with `apt-get install libclang-dev`, then "
      "configure and build again");
}

}  // namespace sextant::own
