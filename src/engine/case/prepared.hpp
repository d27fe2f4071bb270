// Owns the state that Variant::prepare creates for a case.
#pragma once

#include "suite/variant.hpp"

namespace sextant {

// Calls the variant's `release` on destruction.
struct Prepared {
  const Variant& variant;
  void* state = nullptr;
  explicit Prepared(const Variant& variant_) : variant(variant_) {}
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() { release(); }
  void release() {
    if (variant.release && state) variant.release(state);
    state = nullptr;
  }
};

}  // namespace sextant
