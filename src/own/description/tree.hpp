// The parsed TOML or JSON text of a description: values with their positions. description.cpp interprets
// them.
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
  std::string text;             // content of a text value
  std::int64_t whole = 0;       // value of an integer; 1 or 0 for a truth value
  double number = 0;            // value of an integer or a floating-point number
  std::vector<Value> list;      // elements of a list
  std::vector<Member> members;  // members of a table, in the order of the file

  const Value* find(std::string_view key) const;  // returns the table's value, or null
};

struct Member {
  std::string key;
  Place place;  // position of the key
  Value value;
};

// Returns the position of a text's content, one character after its opening quote.
inline Place inside(const Value& text) { return text.place.right(1); }

// Parses TOML. Throws UserError with the position if it is invalid. `text` must keep the lines and columns of
// the file.
Value parse_toml(const std::string& text, const std::string& file);
// Parses JSON; all values have only the file as position. Throws UserError if it is invalid or nested too
// deeply.
Value parse_json(const std::string& text, const std::string& file);

// A table whose keys have been checked against the list of allowed keys.
class Keys {
 public:
  // Throws UserError if `value` is not a table or has a key that is not `allowed`. `what` is for messages:
  // "an array", "a variant".
  Keys(const Value& value, std::string what, std::vector<std::string> allowed);

  const Value* find(std::string_view key) const { return table_.find(key); }
  // Returns the value of the key. Throws UserError with `hint` if the key is missing.
  const Value& need(std::string_view key, const std::string& hint) const;
  const Place& place() const { return table_.place; }

 private:
  const Value& table_;
  std::string what_;
};

// Return the value as text, number or truth value. Each throws UserError if the value has another kind.
// `what` names the value in messages: "the length of x".
const std::string& text_of(const Value& value, const std::string& what);
double number_of(const Value& value, const std::string& what);
bool truth_of(const Value& value, const std::string& what);
std::int64_t whole_of(const Value& value, const std::string& what);
const std::vector<Value>& list_of(const Value& value, const std::string& what);
std::vector<std::string> texts_of(const Value& value, const std::string& what);
[[noreturn]] void refuse(const Place& place, const std::string& message);

}  // namespace sextant::own
