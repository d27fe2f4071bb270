// Memory that the lanes of a gang share, a multiprocessor's own: what one lane leaves there in a loop over
// vectors any lane reads in the next. OpenACC has it as an array that is declared in the body of the loop
// over gangs. GCC 12 keeps room for such an array on the stack, too, and copies the stack at the beginning of
// each loop over vectors (docs/reference/openacc.md), so where it offloads to NVIDIA's GPUs the memory is
// asked for by a line of PTX. On the host it is that array.
#pragma once

#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/ptx.hpp"

// SEXTANT_GANG_ARRAY(T, name, count), in the body of a loop over gangs: `T name[count]`, at a multiple of 16
// bytes. All of a region have 48 KiB together, less some hundred bytes. Then SEXTANT_GANG_POINTER(T, pointer,
// name) in the same region, where the array is used: in the body of each loop over vectors, so that no lane
// is handed the address and the compiler sees what memory it is of.
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

// load_pack and store_pack for elements that are accessed one by one, too.
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

// `width` consecutive elements of a gang's: a pack, or one.
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

// Copies `width` elements of memory, a pack or one, to a gang's array while the lane goes on, in the order in
// which it asks; close_copies() after some, and await_copies<more>(), after which all but the last `more`
// such groups of the lane's are there. For other lanes they are after the loop over vectors, or after
// rejoin(). Asks for compute capability 8.0.
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

// The end of what each of a warp's 32 lanes does once in a loop over vectors: GCC 12 neither brings lanes
// that have branched together before what follows, nor orders what they leave for each other, where nothing
// stands between two such loops.
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

// What a warp's 32 lanes do together in one loop over vectors, step by step: what one leaves in the gang's
// memory in a step, any finds there in the next. A Lane is what a lane keeps meanwhile, in its registers:
// begin(given, lane), then take<0>(turn) to take<steps - 1>(turn) for each turn. Where lanes of such a loop
// do not go in step, on hosts and by other compilers, lane 0 takes the steps of all.
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

// Adds to an element of a gang's array what other lanes may add to at the same time.
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
