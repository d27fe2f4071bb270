// Style, script and licences of the report page. The build embeds them into the program.
#pragma once

#include <string_view>

namespace sextant::report {

std::string_view style();          // text of report.css
std::string_view packed_script();  // gzip-compressed bundle of web/; empty if the build had none
std::string_view licences();       // licence texts of the code in the bundle

}  // namespace sextant::report
