// Forms that are meant for arrays that no cache holds: what they take at small sizes says nothing of large ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant {

// A variant by the folder that has it, whatever kernels that makes: {"histogram", "cuda.partitioned"}.
struct FormOfFolder {
  std::string folder, variant;
};

// The build's own are those whose file begins with the line `// sizes: large`.
bool is_for_large_arrays(std::string_view folder, std::string_view variant);
void add_for_large_arrays(FormOfFolder form);  // a test's

namespace detail {
std::vector<FormOfFolder> for_large_arrays_in_build();  // generated
}

}  // namespace sextant
