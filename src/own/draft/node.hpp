// The parsed body of a function as plain data. It is made from libclang's syntax tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sextant::own {

struct Node {
  // Only the kinds that matter for indices and conditions are distinguished. Everything else is `other` with
  // its children.
  enum class Kind : std::uint8_t {
    other,
    variable,     // use of a variable
    declaration,  // declaration of a variable; the last child is its initial value, if any
    subscript,    // access to an array element; children: array, index
    member,       // access to a member of the child
    unary,
    binary,
    compound,  // compound assignment such as a += b
    call,      // function call; children: function, arguments
    branch,    // if statement; children: condition, then, else
    loop,      // `for` or `while` loop; a `while` loop has two children: condition, body
    leave      // `return` or `continue`
  };
  Kind kind = Kind::other;
  std::string name;  // name of the variable, function or member
  std::string text;  // the operator as text; "continue" for that statement
  // Source offset of the declaration, which identifies the variable; 0 if it is in another file.
  unsigned declared = 0;
  std::optional<long long> value;  // value, if the node is a constant
  bool has_init = false;
  long long bytes = 0;     // value of a `sizeof`
  long long elements = 0;  // number of elements, if the node is an array of constant size
  unsigned begin = 0, end = 0;
  bool is_pointer = false, is_reference = false;  // whether the variable is a pointer or a reference
  int bits = 0;                                   // number of bits of an unsigned number; 0 for other values
  bool real = false;       // true if the node is an expression of type float, double or a template's type
  bool single = false;     // true if it is or was a value of type float
  bool is_struct = false;  // true if the node is an expression of a struct's type
  bool rounds = false;     // true if a real number is converted to a whole number here
  bool character = false;  // true for a character such as 'a'
  bool hidden = false;     // true if an operator in this subtree comes from a macro
  std::vector<Node> children;
};

}  // namespace sextant::own
