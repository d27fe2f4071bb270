#include "cli/options/data.hpp"

#include "cli/options/values.hpp"
#include "record/visits.hpp"

namespace sextant {

void add_data(Command command, std::string* data) {
  command
      .add_option("--data", *data,
                  "Use call times measured with new input values (`fresh`) or with repeated input values "
                  "(`seen`) (default fresh)")
      .type_name("fresh|seen")
      .one_of({"fresh", "seen"})
      .take_last();
}

void add_equal(Command command, std::string* equal) {
  command
      .add_option("--equal", *equal,
                  "Treat two variants (implementations) as equally fast if their times differ by at most "
                  "PERCENT (default 3%)")
      .type_name("PERCENT")
      .group(rarely_used)
      .take_last();
}

void apply_equal(const std::string& equal) {
  if (!equal.empty()) set_equal_within(parse_share(equal, "--equal", {.most = 1}));
}

}  // namespace sextant
