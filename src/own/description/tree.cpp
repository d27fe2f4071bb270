#include "own/description/tree.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/join.hpp"
#include "base/nearest.hpp"

namespace sextant::own {

const Value* Value::find(std::string_view key) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& one) { return one.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

void refuse(const Place& place, const std::string& message) { throw UserError(place.prefix() + message); }

Keys::Keys(const Value& value, std::string what, std::vector<std::string> allowed)
    : table_(value), what_(std::move(what)) {
  if (value.kind != Value::Kind::table)
    refuse(value.place, what_ + " must be a table, such as { key = value, … }");
  for (const Member& member : value.members)
    if (std::find(allowed.begin(), allowed.end(), member.key) == allowed.end()) {
      const std::string hint = did_you_mean(member.key, allowed);
      refuse(member.place, "\"" + member.key + "\" is not a key of " + what_ + "." +
                               (hint.empty() ? " Its keys are " + join(allowed) : hint));
    }
}

const Value& Keys::need(std::string_view key, const std::string& hint) const {
  const Value* value = find(key);
  if (!value) refuse(table_.place, what_ + " has no key `" + std::string(key) + "`. Add " + hint + ".");
  return *value;
}

const std::string& text_of(const Value& value, const std::string& what) {
  if (value.kind != Value::Kind::text) refuse(value.place, what + " must be a text in quotes");
  return value.text;
}

double number_of(const Value& value, const std::string& what) {
  if (value.kind != Value::Kind::whole && value.kind != Value::Kind::number)
    refuse(value.place, what + " must be a number");
  return value.number;
}

bool truth_of(const Value& value, const std::string& what) {
  if (value.kind != Value::Kind::truth) refuse(value.place, what + " must be true or false");
  return value.whole != 0;
}

std::int64_t whole_of(const Value& value, const std::string& what) {
  if (value.kind != Value::Kind::whole) refuse(value.place, what + " must be a whole number");
  return value.whole;
}

const std::vector<Value>& list_of(const Value& value, const std::string& what) {
  if (value.kind != Value::Kind::list) refuse(value.place, what + " must be a list, such as [ …, … ]");
  return value.list;
}

std::vector<std::string> texts_of(const Value& value, const std::string& what) {
  std::vector<std::string> texts;
  for (const Value& one : list_of(value, what)) texts.push_back(text_of(one, "each of " + what));
  return texts;
}

}  // namespace sextant::own
