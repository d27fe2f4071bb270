#include "own/draft/clang/parsed_body.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sextant::own {
namespace {

CXFile main_file = nullptr;

class Builder {
 public:
  explicit Builder(const std::string& source) : source_(source) {}

  Node built(CXCursor cursor) {
    Node node;
    node.begin = offset_of(clang_.clang_getRangeStart(clang_.clang_getCursorExtent(cursor)));
    node.end = offset_of(clang_.clang_getRangeEnd(clang_.clang_getCursorExtent(cursor)));
    for_children(cursor, [&](CXCursor child) { node.children.push_back(built(child)); });
    classify(cursor, &node);
    const CXType type = clang_.clang_getCanonicalType(clang_.clang_getCursorType(cursor));
    if (type.kind == CXType_ConstantArray) node.elements = clang_.clang_getArraySize(type);
    node.is_struct = type.kind == CXType_Record;
    const bool was_real = node.real;
    node.real = is_real(type);
    node.single = node.single || type.kind == CXType_Float;
    // A wider type does not add values.
    const int bits = bits_of(type);
    node.bits = node.bits > 0 && bits > 0 ? std::min(node.bits, bits) : std::max(node.bits, bits);
    node.rounds = node.rounds || (was_real && type.kind > CXType_Bool && type.kind < CXType_Float);
    const bool has_sign = node.kind == Node::Kind::unary || node.kind == Node::Kind::binary ||
                          node.kind == Node::Kind::compound;
    node.hidden = has_sign && node.text.empty();
    for (const Node& child : node.children) node.hidden = node.hidden || child.hidden;
    return node;
  }

 private:
  bool is_real(const CXType& type) const {
    return type.kind == CXType_Float || type.kind == CXType_Double || type.kind == CXType_LongDouble ||
           type.kind == CXType_Half ||
           (type.kind == CXType_Unexposed &&
            clang_.text(clang_.clang_getTypeSpelling(type)).find("type-parameter") != std::string::npos);
  }

  // Returns the number of bits of an unsigned type; 0 for other types.
  int bits_of(const CXType& type) const {
    const bool is_unsigned = type.kind >= CXType_UChar && type.kind <= CXType_ULongLong;
    constexpr int bits_of_byte = 8;
    return is_unsigned ? static_cast<int>(clang_.clang_Type_getSizeOf(type)) * bits_of_byte : 0;
  }

  void classify(CXCursor cursor, Node* node) {
    switch (cursor.kind) {
      case CXCursor_UnexposedExpr:
      case CXCursor_ParenExpr:
        if (node->children.size() == 1) stand_for_child(node);
        break;
      case CXCursor_CStyleCastExpr:
      case CXCursor_CXXStaticCastExpr:
      case CXCursor_CXXFunctionalCastExpr:
        if (!node->children.empty() && !is_pointer(cursor)) stand_for_child(node);
        break;
      case CXCursor_IntegerLiteral:
      case CXCursor_CXXBoolLiteralExpr:
        node->value = value_of(cursor);
        break;
      case CXCursor_UnaryExpr:  // sizeof
        node->bytes = value_of(cursor).value_or(0);
        break;
      case CXCursor_CharacterLiteral:
        node->value = value_of(cursor);
        node->character = true;
        break;
      case CXCursor_FloatingLiteral:
        node->text = text_of(*node);
        break;
      case CXCursor_DeclRefExpr:
        use(cursor, node);
        break;
      case CXCursor_VarDecl:
        declare(cursor, node);
        break;
      case CXCursor_MemberRefExpr:
        node->kind = Node::Kind::member;
        node->name = clang_.text(clang_.clang_getCursorSpelling(cursor));
        break;
      case CXCursor_ArraySubscriptExpr:
        if (node->children.size() == 2) node->kind = Node::Kind::subscript;
        break;
      case CXCursor_UnaryOperator:
        if (node->children.size() != 1) break;
        node->kind = Node::Kind::unary;
        node->text = sign_of(*node);
        if (node->text == "-" && node->children[0].value) node->value = -*node->children[0].value;
        break;
      case CXCursor_BinaryOperator:
      case CXCursor_CompoundAssignOperator:
        if (node->children.size() != 2) break;
        node->kind = cursor.kind == CXCursor_BinaryOperator ? Node::Kind::binary : Node::Kind::compound;
        node->text = between(node->children[0].end, node->children[1].begin);
        // an empty text means that a macro hides the operator
        if (node->text.empty()) node->value = value_of(cursor);
        break;
      case CXCursor_CallExpr:
        call(cursor, node);
        break;
      case CXCursor_ConditionalOperator:
      case CXCursor_IfStmt:
        node->kind = Node::Kind::branch;
        break;
      case CXCursor_ForStmt:
      case CXCursor_WhileStmt:
        node->kind = Node::Kind::loop;
        break;
      case CXCursor_ReturnStmt:
      case CXCursor_ContinueStmt:
        node->kind = Node::Kind::leave;
        if (cursor.kind == CXCursor_ContinueStmt) node->text = "continue";
        break;
      default:
        break;
    }
  }

  // Replaces a node that stands for parentheses or a cast by its child. The node keeps its source range.
  static void stand_for_child(Node* node) {
    Node child = std::move(node->children.back());
    child.begin = node->begin;
    child.end = node->end;
    *node = std::move(child);
  }

  bool is_pointer(CXCursor cursor) const {
    return clang_.clang_getCanonicalType(clang_.clang_getCursorType(cursor)).kind == CXType_Pointer;
  }

  void use(CXCursor cursor, Node* node) {
    const CXCursor declared = clang_.clang_getCursorReferenced(cursor);
    node->kind = Node::Kind::variable;
    node->name = clang_.text(clang_.clang_getCursorSpelling(cursor));
    node->declared = offset_of(clang_.clang_getCursorLocation(declared));
    const bool constant =
        declared.kind == CXCursor_EnumConstantDecl ||
        (declared.kind == CXCursor_VarDecl &&
         clang_.clang_isConstQualifiedType(clang_.clang_getCursorType(declared)) &&
         clang_.clang_getCanonicalType(clang_.clang_getCursorType(declared)).kind != CXType_Unexposed);
    if (constant) node->value = value_of(cursor);
  }

  // Converts a call. A call of a struct's overloaded operator becomes that operator.
  void call(CXCursor cursor, Node* node) {
    node->kind = Node::Kind::call;
    node->name = clang_.text(clang_.clang_getCursorSpelling(cursor));
    // A call in a template has no name before the template's arguments are known.
    if (node->name.empty() && !node->children.empty()) node->name = text_of(node->children[0]);
    if (!node->name.starts_with("operator")) return;
    std::erase_if(node->children, [&](const Node& child) {
      return child.kind == Node::Kind::variable && child.name == node->name;
    });
    const std::string sign = node->name.substr(8);
    const bool assigns = sign.ends_with("=") && sign != "==" && sign != "!=" && sign != "<=" && sign != ">=";
    if (node->children.size() != 2 || sign == "[]" || sign == "()") return;
    node->kind = assigns && sign != "=" ? Node::Kind::compound : Node::Kind::binary;
    node->text = sign;
  }

  void declare(CXCursor cursor, Node* node) {
    node->kind = Node::Kind::declaration;
    node->name = clang_.text(clang_.clang_getCursorSpelling(cursor));
    node->declared = offset_of(clang_.clang_getCursorLocation(cursor));
    node->is_pointer = is_pointer(cursor);
    node->is_reference =
        clang_.clang_getCanonicalType(clang_.clang_getCursorType(cursor)).kind == CXType_LValueReference;
    const CXCursor value = clang_.clang_Cursor_getVarDeclInitializer(cursor);
    node->has_init = !clang_.clang_Cursor_isNull(value);
    node->children.clear();
    if (node->has_init) node->children.push_back(built(value));
  }

  std::optional<long long> value_of(CXCursor cursor) const {
    std::optional<long long> value;
    if (CXEvalResult result = clang_.clang_Cursor_Evaluate(cursor)) {
      if (clang_.clang_EvalResult_getKind(result) == CXEval_Int)
        value = clang_.clang_EvalResult_getAsLongLong(result);
      clang_.clang_EvalResult_dispose(result);
    }
    return value;
  }

  std::string text_of(const Node& node) const {
    return node.begin < node.end && node.end <= source_.size()
               ? source_.substr(node.begin, node.end - node.begin)
               : "";
  }

  // Returns the operator between two offsets; empty if a macro hides it.
  std::string between(unsigned begin, unsigned end) const {
    std::string text;
    if (begin > 0 && begin < end && end <= source_.size())
      for (const char c : source_.substr(begin, end - begin))
        if (!std::isspace(static_cast<unsigned char>(c))) text += c;
    return text.size() <= 3 ? text : "";
  }

  std::string sign_of(const Node& node) const {
    const std::string before = between(node.begin, node.children[0].begin);
    return before.empty() ? between(node.children[0].end, node.end) : before;
  }

  const std::string& source_;
  const ClangLibrary& clang_ = clang_library();
};

}  // namespace

void read_from(CXFile main) { main_file = main; }

unsigned offset_of(CXSourceLocation location) {
  const ClangLibrary& clang = clang_library();
  unsigned offset = 0;
  CXFile file = nullptr;
  clang.clang_getExpansionLocation(location, &file, nullptr, nullptr, &offset);
  return file && clang.clang_File_isEqual(file, main_file) ? offset : 0;
}

int line_of(CXSourceLocation location) {
  unsigned line = 0;
  clang_library().clang_getExpansionLocation(location, nullptr, &line, nullptr, nullptr);
  return static_cast<int>(line);
}

Node node_of(CXCursor cursor, const std::string& source) { return Builder(source).built(cursor); }

}  // namespace sextant::own
