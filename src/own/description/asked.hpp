// What the command line says of a kernel that is loaded, beside what its file says.
#pragma once

#include <string>

namespace sextant::own {

struct Description;

struct Asked {
  std::string name;        // it is called so, instead of as its file says
  std::string reference;   // FILE:FUNCTION, FILE:FUNCTION(ARGUMENTS) or a variant of the file
  std::string tolerance;   // "relative=4*eps,absolute=1e-6"
  bool unchecked = false;  // timed although nothing says what is right

  bool operator==(const Asked&) const = default;
};

// One line that asked_from reads again.
std::string text_of(const Asked& asked);
Asked asked_from(const std::string& text);

// Does to the description what was asked. Without arguments, a reference's function takes those of the first
// variant, then the arrays that this one has in constant memory. An unchecked kernel's name ends in
// _unchecked, wherever it is shown. Throws UserError.
void complete(const Asked& asked, Description* description);

}  // namespace sextant::own
