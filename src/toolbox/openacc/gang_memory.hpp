// Memory that the lanes of a gang share, a multiprocessor's own: what one lane leaves there in a loop over vectors any lane
// reads in the next. OpenACC has it as an array that is declared in the body of the loop over gangs. GCC 12 keeps room for
// such an array on the stack, too, and copies the stack at the beginning of each loop over vectors (docs/openacc.md), so
// where it offloads to NVIDIA's GPUs the memory is asked for by a line of PTX. On the host it is that array.
#pragma once

#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/ptx.hpp"

// SEXTANT_GANG_ARRAY(T, name, count), in the body of a loop over gangs: `T name[count]`, at a multiple of 16 bytes. All of a
// region have 48 KiB together, less some hundred bytes. Then SEXTANT_GANG_POINTER(T, pointer, name) in the same region, where
// the array is used: in the body of each loop over vectors, so that no lane is handed the address and the compiler sees what
// memory it is of.
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
