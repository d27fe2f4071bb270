// What the build puts into the program for the page.
#pragma once

#include <string_view>

namespace sextant::report {

std::string_view style();  // report.css
std::string_view
packed_script();              // the bundle of web/, by gzip; empty if it was not there when this was built
std::string_view licences();  // of what is in the bundle; a text

}  // namespace sextant::report
