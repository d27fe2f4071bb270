// Converts the syntax tree of a function's body from libclang's cursors to nodes (own/draft/node.hpp).
#pragma once

#include <string>

#include "own/draft/clang/clang_library.hpp"
#include "own/draft/node.hpp"

namespace sextant::own {

// Converts a statement or an expression of the main file to a node. `source` is the text of that file.
Node node_of(CXCursor cursor, const std::string& source);

// Sets the main file.
void read_from(CXFile main);
// Return the offset in characters and the line (from 1) of a location. For code from a macro, they return the
// position where the macro is used. The offset is 0 outside the main file.
unsigned offset_of(CXSourceLocation location);
int line_of(CXSourceLocation location);

// Calls visit(child) for each child of the cursor.
template <typename Visit>
void for_children(CXCursor cursor, Visit&& visit) {
  clang_library().clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        (*static_cast<std::remove_reference_t<Visit>*>(data))(child);
        return CXChildVisit_Continue;
      },
      &visit);
}

// Calls visit(field) for each member of a struct.
template <typename Visit>
void for_fields(CXType type, Visit&& visit) {
  clang_library().clang_Type_visitFields(
      type,
      [](CXCursor field, CXClientData data) {
        (*static_cast<std::remove_reference_t<Visit>*>(data))(field);
        return CXVisit_Continue;
      },
      &visit);
}

}  // namespace sextant::own
