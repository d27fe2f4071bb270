#include "cli/options/data.hpp"

namespace sextant {

void add_data(Command command, std::string* data) {
  command
      .add_option(
          "--data", *data,
          "Take call times on inputs that a variant had not seen (fresh, default), or had just seen, of cases "
          "that are faster there")
      .type_name("fresh|seen")
      .one_of({"fresh", "seen"})
      .take_last();
}

}  // namespace sextant
