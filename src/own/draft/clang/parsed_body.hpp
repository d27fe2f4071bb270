// A body's nodes from libclang's cursors.
#pragma once

#include <string>

#include "own/draft/clang/clang_library.hpp"
#include "own/draft/node.hpp"

namespace sextant::own {

// Of a statement or an expression of the main file, whose text is `source`.
Node node_of(CXCursor cursor, const std::string& source);

// Which file is the main one from now on.
void read_from(CXFile main);
// Characters before a place of the main file, where a macro stands that it comes from, and its line from 1
// on; 0: it is elsewhere.
unsigned offset_of(CXSourceLocation location);
int line_of(CXSourceLocation location);

// Calls visit(child) for each child.
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

}  // namespace sextant::own
