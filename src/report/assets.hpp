// What the build puts into the program for the page.
#pragma once

#include <string_view>

namespace sextant::report {

std::string_view style();   // report.css
std::string_view script();  // the bundle of web/; empty if it was not there when this was built

}  // namespace sextant::report
