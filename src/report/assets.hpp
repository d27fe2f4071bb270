// Style, script and licences of the page, which the build embeds into the program.
#pragma once

#include <string_view>

namespace sextant::report {

std::string_view style();          // report.css
std::string_view packed_script();  // the gzip-compressed bundle of web/; empty if the build had none
std::string_view licences();       // licence texts of the bundle's contents

}  // namespace sextant::report
