// A description as it was written, in TOML or JSON: values with their places. What they mean is
// description.cpp's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "own/description/place.hpp"

namespace sextant::own {

struct Member;

struct Value {
  enum class Kind : std::uint8_t { table, list, text, whole, number, truth, other };
  Kind kind = Kind::other;
  Place place;
  std::string text;             // of a text
  std::int64_t whole = 0;       // of a whole number; 1 or 0 of a truth
  double number = 0;            // of any number
  std::vector<Value> list;      // of a list
  std::vector<Member> members;  // of a table, in the order in which they stand in the file

  const Value* find(std::string_view key) const;  // a table's value, or null
};

struct Member {
  std::string key;
  Place place;  // of the key
  Value value;
};

// What stands between the quotes of a text begins one character after its place.
inline Place inside(const Value& text) { return text.place.right(1); }

// Throws UserError with the place for what is no TOML. `text` keeps the lines and columns of the file.
Value parse_toml(const std::string& text, const std::string& file);
// The same of JSON, whose values have the file as their only place. Throws UserError, too, for what nests
// deeper than any description.
Value parse_json(const std::string& text, const std::string& file);

// A table whose keys are all among those that it may have.
class Keys {
 public:
  // Throws UserError where `value` is no table or a key of it is not `allowed`; `what`: "an array", "a
  // variant".
  Keys(const Value& value, std::string what, std::vector<std::string> allowed);

  const Value* find(std::string_view key) const { return table_.find(key); }
  // Throws UserError: "… is missing: hint".
  const Value& need(std::string_view key, const std::string& hint) const;
  const Place& place() const { return table_.place; }

 private:
  const Value& table_;
  std::string what_;
};

// Each throws UserError where the value is of another kind; `what`: "the length of x".
const std::string& text_of(const Value& value, const std::string& what);
double number_of(const Value& value, const std::string& what);
bool truth_of(const Value& value, const std::string& what);
std::int64_t whole_of(const Value& value, const std::string& what);
const std::vector<Value>& list_of(const Value& value, const std::string& what);
std::vector<std::string> texts_of(const Value& value, const std::string& what);
[[noreturn]] void refuse(const Place& place, const std::string& message);

}  // namespace sextant::own
