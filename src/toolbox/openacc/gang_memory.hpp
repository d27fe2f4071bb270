// Memory that the lanes of a gang share (CUDA's shared memory). OpenACC expresses it as an array declared in
// the body of the gang loop. GCC 12 copies such an array at the start of each vector loop
// (docs/reference/openacc.md). For NVIDIA GPUs, inline PTX therefore declares the memory. On the host it is
// an ordinary array.
#pragma once

#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/ptx.hpp"

// SEXTANT_GANG_ARRAY(T, name, count), in the body of a gang loop, declares `T name[count]`, aligned to 16
// bytes. All arrays of a region share less than 48 KiB.
//
// SEXTANT_GANG_POINTER(T, pointer, name) makes the array accessible. Use it in the same region, in the body
// of each vector loop.
#if SEXTANT_GCC_OFFLOADS
  #define SEXTANT_GANG_ARRAY(Type, name, count) \
    alignas(16) Type name[count];               \
    if (::sextant::openacc::is_ptx())           \
    asm volatile(".shared .align 16 .b8 gang_array_" #name "[%0];" : : "n"(sizeof name))
  #define SEXTANT_GANG_POINTER(Type, pointer, name) \
    Type* pointer = name;                           \
    if (::sextant::openacc::is_ptx())               \
    asm volatile("cvta.shared.u64 %0, gang_array_" #name ";" : "=r"(pointer))
#else
  #define SEXTANT_GANG_ARRAY(Type, name, count) alignas(16) Type name[count]
  #define SEXTANT_GANG_POINTER(Type, pointer, name) Type* pointer = name
#endif

namespace sextant::openacc {

namespace detail {
using WordsOfAny = Words __attribute__((may_alias));
}

// load_pack and store_pack for gang arrays whose elements are also accessed one by one (may_alias).
template <typename T>
SEXTANT_INLINE void load_of_gang(const T* p, T* elements) {
  detail::Pack<T> pack;
  pack.words = *reinterpret_cast<const volatile detail::WordsOfAny*>(p);
  for (int k = 0; k < pack_width<T>; ++k) elements[k] = pack.elements[k];
}

template <typename T>
SEXTANT_INLINE void store_of_gang(T* p, const T* elements) {
  detail::Pack<T> pack;
  for (int k = 0; k < pack_width<T>; ++k) pack.elements[k] = elements[k];
  *reinterpret_cast<detail::WordsOfAny*>(p) = pack.words;
}

// Loads or stores `width` consecutive elements of a gang array: a 16-byte pack or a single element.
template <int width, typename T>
SEXTANT_INLINE void take(const T* p, T* elements) {
  if constexpr (width == 1)
    elements[0] = *p;
  else
    load_of_gang(p, elements);
}

template <int width, typename T>
SEXTANT_INLINE void keep(T* p, const T* elements) {
  if constexpr (width == 1)
    *p = elements[0];
  else
    store_of_gang(p, elements);
}

// copy_ahead starts an asynchronous copy of `width` elements (a 16-byte pack, or one) from global memory to a
// gang array. close_copies() ends a group of copies. await_copies<more>() waits until at most the last `more`
// groups of this lane are incomplete. Other lanes see the data after the vector loop or after rejoin().
// Requires compute capability 8.0.
template <int width, typename T>
SEXTANT_INLINE void copy_ahead(T* to, const T* from) {
#if SEXTANT_GCC_OFFLOADS
  if (is_ptx()) {
    if constexpr (width == 1)
      asm volatile(
          "{ .reg .u64 to, from; cvta.to.shared.u64 to, %0; cvta.to.global.u64 from, %1; "
          "cp.async.ca.shared.global [to], [from], %2; }" ::"r"(to),
          "r"(from), "n"(sizeof(T))
          : "memory");
    else
      asm volatile(
          "{ .reg .u64 to, from; cvta.to.shared.u64 to, %0; cvta.to.global.u64 from, %1; "
          "cp.async.cg.shared.global [to], [from], 16; }" ::"r"(to),
          "r"(from)
          : "memory");
    return;
  }
#endif
  T elements[width];
  load<width>(from, elements);
  keep<width>(to, elements);
}

SEXTANT_INLINE void close_copies() {
#if SEXTANT_GCC_OFFLOADS
  if (is_ptx()) asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int more>
SEXTANT_INLINE void await_copies() {
#if SEXTANT_GCC_OFFLOADS
  if (is_ptx()) asm volatile("cp.async.wait_group %0;" ::"n"(more) : "memory");
#endif
}

// Synchronizes the 32 lanes of a warp and orders their memory accesses. GCC 12 does neither between two
// consecutive vector loops.
SEXTANT_INLINE void rejoin() {
#if SEXTANT_GCC_OFFLOADS
  if (is_ptx()) asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
#endif
}

namespace detail {
template <int step, int steps, typename Lane>
SEXTANT_INLINE void take_steps(Lane& lane, int turn) {
  if constexpr (step < steps) {
    lane.template take<step>(turn);
    rejoin();
    take_steps<step + 1, steps>(lane, turn);
  }
}

template <int step, int steps, typename Lane>
SEXTANT_INLINE void take_steps_of_all(Lane (&lanes)[32], int turn) {
  if constexpr (step < steps) {
    for (Lane& lane : lanes) lane.template take<step>(turn);
    take_steps_of_all<step + 1, steps>(lanes, turn);
  }
}
}  // namespace detail

// Runs several steps on a warp's 32 lanes within one vector loop, with a warp barrier after each step. A Lane
// object holds the registers of one lane. First begin(given, lane) is called, then, for each turn,
// take<0>(turn) to take<steps - 1>(turn). On hosts and with other compilers, lane 0 executes the steps of all
// lanes, because lanes are not synchronized there.
template <typename Lane, int steps, typename Given>
SEXTANT_INLINE void go_together(int lane, const Given& given, int turns = 1) {
#if SEXTANT_GCC_OFFLOADS
  if (is_ptx()) {
    Lane mine;
    mine.begin(given, lane);
    for (int turn = 0; turn < turns; ++turn) detail::take_steps<0, steps>(mine, turn);
    return;
  }
#endif
  if (lane > 0) return;
  Lane lanes[32];
  for (int each = 0; each < 32; ++each) lanes[each].begin(given, each);
  for (int turn = 0; turn < turns; ++turn) detail::take_steps_of_all<0, steps>(lanes, turn);
}

// Adds atomically to an element of a gang array.
SEXTANT_INLINE void add_in_gang(std::int32_t* at, std::int32_t more) {
#if SEXTANT_GCC_OFFLOADS
  if (is_ptx()) {
    asm volatile("{ .reg .u64 at; cvta.to.shared.u64 at, %0; red.shared.add.u32 [at], %1; }" ::"r"(at),
                 "r"(more)
                 : "memory");
    return;
  }
#endif
#pragma acc atomic update
  *at += more;
}

}  // namespace sextant::openacc
