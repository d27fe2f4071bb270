// One list of compile-time choices yields both a tunable's values and the template instances behind them.
#pragma once

#include <vector>

namespace sextant {

template <int... Values>
struct Choices {
  static std::vector<int> list() { return {Values...}; }

  // Calls function.template operator()<V>() for the V that equals `value`; does nothing if none does.
  template <typename Function>
  static void with(int value, Function&& function) {
    (void)((value == Values && (function.template operator()<Values>(), true)) || ...);
  }
};

using BlockSizes = Choices<32, 64, 128, 256, 512, 1024>;

}  // namespace sextant
