// The command-line options that complete the description of a user kernel when the kernel is loaded.
#pragma once

#include <string>

namespace sextant::own {

struct Description;

struct Asked {
  std::string name;        // replaces the name in the file
  std::string reference;   // FILE:FUNCTION, FILE:FUNCTION(ARGUMENTS) or a variant of the file
  std::string tolerance;   // error bounds: "relative=4*eps,absolute=1e-6"
  bool unchecked = false;  // allows timing without a reference

  bool operator==(const Asked&) const = default;
};

// Convert the options to one line of text and back.
std::string text_of(const Asked& asked);
Asked asked_from(const std::string& text);

// Applies the options to the description. A reference function without arguments gets those of the first
// variant, followed by that variant's arrays in constant memory. The name of an unchecked kernel gets the
// suffix _unchecked, so that every output shows it. Throws UserError.
void complete(const Asked& asked, Description* description);

}  // namespace sextant::own
