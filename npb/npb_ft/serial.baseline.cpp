#include "blocks.hpp"

namespace sextant {

Variant npb_ft_serial_baseline() {
  Variant variant;
  variant.description =
      "the benchmark's own structure: blocks of lines copied, radix-2 Stockham, separate evolution";
  variant.launch = {.float64 = npb_ft::launch_blocks};
  variant.prepare = npb_ft::prepare_blocks;
  variant.release = npb_ft::release_blocks;
  variant.workspace = npb_ft::workspace_blocks;
  return variant;
}

}  // namespace sextant
