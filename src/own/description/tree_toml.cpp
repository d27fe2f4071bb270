// The only user of toml++, whose parser assumes in places what a wrong input breaks (3.3: a key's first character). Here
// it throws instead.
#undef NDEBUG
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(condition) ((condition) ? void() : throw sextant::own::BrokenAssumption())
namespace sextant::own {
struct BrokenAssumption {};
}  // namespace sextant::own
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wterminate"  // where its functions are noexcept, as an assertion
#include <toml++/toml.h>
#pragma GCC diagnostic pop

#include <algorithm>

#include "base/error.hpp"
#include "own/description/tree.hpp"

namespace sextant::own {
namespace {

Place place_of(const toml::source_region& region, const std::string& file) {
  return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

Value converted(const toml::node& node, const std::string& file) {
  Value value;
  value.place = place_of(node.source(), file);
  if (const toml::table* table = node.as_table()) {
    value.kind = Value::Kind::table;
    for (const auto& [key, inner] : *table)
      value.members.push_back({std::string(key.str()), place_of(key.source(), file), converted(inner, file)});
    std::stable_sort(value.members.begin(), value.members.end(), [](const Member& a, const Member& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
  } else if (const toml::array* list = node.as_array()) {
    value.kind = Value::Kind::list;
    for (const toml::node& inner : *list) value.list.push_back(converted(inner, file));
  } else if (const auto* text = node.as_string()) {
    value.kind = Value::Kind::text;
    value.text = text->get();
  } else if (const auto* whole = node.as_integer()) {
    value.kind = Value::Kind::whole;
    value.whole = whole->get();
    value.number = static_cast<double>(value.whole);
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = Value::Kind::number;
    value.number = number->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.kind = Value::Kind::truth;
    value.whole = truth->get() ? 1 : 0;
  }
  return value;
}

}  // namespace

Value parse_toml(const std::string& text, const std::string& file) {
  try {
    return converted(toml::parse(text), file);
  } catch (const toml::parse_error& error) {
    throw UserError(place_of(error.source(), file).prefix() + std::string(error.description()));
  } catch (const BrokenAssumption&) {
    throw UserError(file + ": is no TOML: where a key is expected stands something else");
  }
}

}  // namespace sextant::own
