// Detects whether this file is compiled with AddressSanitizer.
#pragma once

#if defined(__has_feature)
  #if __has_feature(address_sanitizer)
    #define SEXTANT_ADDRESS_SANITIZER
  #endif
#elif defined(__SANITIZE_ADDRESS__)
  #define SEXTANT_ADDRESS_SANITIZER
#endif

namespace sextant {

#ifdef SEXTANT_ADDRESS_SANITIZER
inline constexpr bool address_sanitizer = true;
#else
inline constexpr bool address_sanitizer = false;
#endif

}  // namespace sextant
