#include "own/draft/clang/struct_layout.hpp"

#include "own/draft/clang/parsed_body.hpp"

namespace sextant::own {

std::vector<std::string> StructLayout::of(const CXType& type) {
  constexpr std::size_t most_members = 64;
  if (!add(type) || at_ > bytes_) return {};
  put("pad", bytes_ - at_, 1);
  std::vector<std::string> texts;
  for (const auto& [name, count] : members_)
    texts.push_back(count == 1 ? name : name + "[" + std::to_string(count) + "]");
  return texts.size() <= most_members ? texts : std::vector<std::string>{};
}

// Adds the members of a type, and the padding before and behind them. Returns false for bit fields.
bool StructLayout::add(const CXType& type) {
  const CXType known = clang_.clang_getCanonicalType(type);
  const long long alignment = clang_.clang_Type_getAlignOf(known), size = clang_.clang_Type_getSizeOf(known);
  if (alignment < 1 || size < 1) return false;
  put("pad", (alignment - at_ % alignment) % alignment, 1);
  const long long end = at_ + size;
  bool all = true;
  if (known.kind == CXType_ConstantArray) {
    const long long count = clang_.clang_getArraySize(known);
    for (long long i = 0; i < count && all; ++i) all = add(clang_.clang_getArrayElementType(known));
  } else if (known.kind == CXType_Record) {
    for_fields(known, [&](CXCursor field) {
      all = all && !clang_.clang_Cursor_isBitField(field) && add(clang_.clang_getCursorType(field));
    });
  } else if (known.kind == CXType_Enum) {
    put("pad", size, 1);  // only some numbers are values of an enumeration
  } else {
    const std::string name = clang_.text(clang_.clang_getTypeSpelling(known));
    put(name == "_Bool" ? "bool" : name, 1, size);
  }
  if (all && at_ < end) put("pad", end - at_, 1);
  return all && at_ == end;
}

void StructLayout::put(const std::string& type, long long count, long long bytes) {
  if (count < 1) return;
  at_ += count * bytes;
  if (!members_.empty() && members_.back().first == type)
    members_.back().second += count;
  else
    members_.emplace_back(type, count);
}

}  // namespace sextant::own
