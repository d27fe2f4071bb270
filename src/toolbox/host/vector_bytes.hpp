// The vector width for GCC's vector extension.
#pragma once

namespace sextant {
namespace {

// Bytes of the widest vector for which this file is compiled. Each variant has its own flags.
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

}  // namespace
}  // namespace sextant
