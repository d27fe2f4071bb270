// Style, script and licences of the page. The build embeds them into the program.
#pragma once

#include <string_view>

namespace sextant::report {

std::string_view style();          // text of report.css
std::string_view packed_script();  // the bundle of web/, compressed with gzip; empty if the build had none
std::string_view licences();       // licence texts of the code in the bundle

}  // namespace sextant::report
