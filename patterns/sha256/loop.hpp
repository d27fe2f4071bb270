// sha256: digests of 32-byte messages (FIPS 180-4). With padding, a message is a single block of 16 words, of
// which the first eight are input.
//
//     for (i = 0; i < n; ++i) {
//       w[0..7] = message[8*i..8*i+7]; w[8..15] = 80000000, 0, 0, 0, 0, 0, 0, 256;
//       for (t = 16; t < 64; ++t) w[t] = s1(w[t-2]) + w[t-7] + s0(w[t-15]) + w[t-16];
//       a..h = initial;
//       for (t = 0; t < 64; ++t) {
//         t1 = h + S1(e) + choose(e, f, g) + k[t] + w[t]; t2 = S0(a) + majority(a, b, c);
//         h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
//       }
//       digest[8*i..8*i+7] = initial + a..h;
//     }
#pragma once

#include <cstdint>

#include "suite/variant.hpp"

#ifdef __CUDACC__
  #define SEXTANT_SHA256_INLINE __host__ __device__ __forceinline__
#else
  #define SEXTANT_SHA256_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::sha256 {

inline constexpr int words = 8;  // number of 32-bit words per message, and per digest

// Round constants: the first 32 fractional bits of the cube roots of the first 64 primes. The function
// `initial` returns the same bits of the square roots of the first eight primes. Functions are used because
// device code cannot access host arrays.
constexpr std::uint32_t round_constant(int t) {
  constexpr std::uint32_t k[] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  return k[t];
}
constexpr std::uint32_t initial(int i) {
  constexpr std::uint32_t h[] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  return h[i];
}
// Words 8 to 15 of a block: the end-of-message bit, zeros, and the message length in bits.
constexpr std::uint32_t padding(int t) { return t == 8 ? 0x80000000 : t == 15 ? 256 : 0; }

// Rotates x right by `by` bits. `Word` is a 32-bit number or a vector of such numbers.
template <typename Word>
SEXTANT_SHA256_INLINE Word rotated(Word x, int by) {
  return (x >> by) | (x << (32 - by));
}
template <typename Word>
SEXTANT_SHA256_INLINE Word small_sum(Word x, int a, int b, int shift) {
  return rotated(x, a) ^ rotated(x, b) ^ (x >> shift);
}
template <typename Word>
SEXTANT_SHA256_INLINE Word large_sum(Word x, int a, int b, int c) {
  return rotated(x, a) ^ rotated(x, b) ^ rotated(x, c);
}

// The working variables a to h of FIPS 180-4.
template <typename Word>
struct State {
  Word a, b, c, d, e, f, g, h;

  // Performs one round; `next` is the round constant plus the schedule word.
  SEXTANT_SHA256_INLINE void round(Word next) {
    const Word t1 = h + large_sum(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + next;
    const Word t2 = large_sum(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
};

template <typename Word>
SEXTANT_SHA256_INLINE State<Word> initial_state() {
  return {Word{} + initial(0), Word{} + initial(1), Word{} + initial(2), Word{} + initial(3),
          Word{} + initial(4), Word{} + initial(5), Word{} + initial(6), Word{} + initial(7)};
}

template <typename Word>
SEXTANT_SHA256_INLINE void store(const State<Word>& s, Word* digest) {
  const Word all[words] = {s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h};
  for (int i = 0; i < words; ++i) digest[i] = all[i] + initial(i);
}

// Computes a digest as FIPS 180-4 describes it: all 64 words of the schedule first, then the rounds.
// `constants` holds the round constants.
SEXTANT_SHA256_INLINE void digest_plain(const std::uint32_t* message, const std::uint32_t* constants,
                                        std::uint32_t* digest) {
  std::uint32_t w[64];
  for (int t = 0; t < words; ++t) w[t] = message[t];
  for (int t = words; t < 16; ++t) w[t] = padding(t);
  for (int t = 16; t < 64; ++t)
    w[t] = small_sum(w[t - 2], 17, 19, 10) + w[t - 7] + small_sum(w[t - 15], 7, 18, 3) + w[t - 16];
  State<std::uint32_t> state = initial_state<std::uint32_t>();
  for (int t = 0; t < 64; ++t) state.round(constants[t] + w[t]);
  store(state, digest);
}

struct Constants {
  std::uint32_t k[64];
};
constexpr Constants make_constants() {
  Constants constants{};
  for (int t = 0; t < 64; ++t) constants.k[t] = round_constant(t);
  return constants;
}
inline constexpr Constants host_constants = make_constants();

// `static`: each including source file compiles its own copy with its own compiler flags.
static inline void loop(const Call& call) {
  const std::uint32_t* message = call.array<const std::uint32_t>(0);
  std::uint32_t* digest = call.array<std::uint32_t>(1);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i)
    digest_plain(message + i * words, host_constants.k, digest + i * words);
}

}  // namespace sextant::sha256
