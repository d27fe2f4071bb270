// How the blocks of `resident` send each other the faces of their tiles: through global memory, which is the
// second-level cache here, as tagged values. Who computes a face posts it (`ResidentColumn::post_faces`); who needs it
// looks for it while it computes something else, and waits only for what has not come by then.
#pragma once

#include "point.cuh"
#include "resident_layout.cuh"
#include "toolbox/cuda/patience.cuh"
#include "toolbox/cuda/tagged.cuh"

namespace sextant::heat3d {

// The mail: for both buffers, all blocks, all groups, their planes in the order in which they take them, a
// plane's faces.
template <typename R>
__device__ __forceinline__ int mail_of(int buffer, int block, int planes) {
  return (buffer * static_cast<int>(gridDim.x * gridDim.y) + block) * R::groups * planes * R::face;
}

// A block's patience: where a warp has none left, no other of the block has, so that the block ends soon.
struct BlockPatience {
  const Patience& launch;
  volatile int* const left;  // in shared memory: looks at a halo, 0 from when a warp gave up

  // Whether the warp, which has looked so many times, is to look again.
  __device__ __forceinline__ bool lasts(int looks) const {
    if (__any_sync(~0u, looks < *left)) return true;
    *left = 0;
    launch.give_up();
    return false;
  }
};

// What a thread brings of the halos of its group's planes, a unit at a time.
template <int radius, int length, typename R, typename T>
struct Inbox {
  static constexpr int shares = (R::unit * R::halo + R::group_threads - 1) / R::group_threads;
  static constexpr int bytes = static_cast<int>(sizeof(T));
  int source[shares];   // in buffer 0 of the mail, from the group's first unit on; -1: nothing is there
  int target[shares];   // bytes of shared memory, likewise
  int plane[shares];    // of the unit
  unsigned wanted = 0;  // a bit a share
  Vector<Word<T>, length> words[shares];

  __device__ Inbox(const Group<radius, R>& group, const Box& box, int thread) {
#pragma unroll
    for (int share = 0; share < shares; ++share) {
      const int i = share * R::group_threads + thread;
      const auto [row, vector] = R::of_halo(i % R::halo);
      const int block_x = static_cast<int>(blockIdx.x) + (vector < 0           ? -1
                                                          : vector >= R::lanes ? 1
                                                                               : 0),
                block_y = static_cast<int>(blockIdx.y) + (row < 0            ? -1
                                                          : row >= R::height ? 1
                                                                             : 0);
      const int own_row = (row + R::height) % R::height, own_vector = (vector + R::lanes) % R::lanes;
      const int x = block_x * R::width + own_vector * length, y = block_y * R::height + own_row;
      const int face = own_row != row ? R::row_of_face(own_row, vector) : R::column_of_face(row, own_vector);
      plane[share] = i / R::halo;
      const bool there = plane[share] < R::unit && x >= 0 && x < box.x && y >= 0 && y < box.y;
      source[share] = there ? mail_of<R>(0, block_y * static_cast<int>(gridDim.x) + block_x, group.planes) +
                                  (group.number * group.planes + plane[share]) * R::face + face
                            : -1;
      target[share] = ((group.slot + plane[share]) * R::plane + R::place(row, vector)) * bytes;
    }
  }
  // Looks for the halo of the unit that begins at plane `first` of the group.
  __device__ __forceinline__ void look(const Word<T>* buffer, const Group<radius, R>& group, int first) {
    wanted = 0;
#pragma unroll
    for (int share = 0; share < shares; ++share) {
      const bool wants = source[share] >= 0 && group.computes(first + plane[share]);
      wanted |= static_cast<unsigned>(wants) << share;
      peek(buffer + (source[share] + first * R::face), wants, words[share]);
    }
  }
  // Puts it into shared memory when all of it is there, or patience ends: then with what was there instead.
  __device__ __forceinline__ void put(const Word<T>* buffer, unsigned tag, int first, char* shared,
                                      const BlockPatience& patience) {
    unsigned missing = wanted;
    for (int looks = 0;; ++looks) {
#pragma unroll
      for (int share = 0; share < shares; ++share)
        if (have_come<T>(words[share], tag)) missing &= ~(1u << share);
      if (!__any_sync(~0u, missing != 0) || !patience.lasts(looks)) break;
#pragma unroll
      for (int share = 0; share < shares; ++share)
        peek(buffer + (source[share] + first * R::face), missing >> share & 1, words[share]);
    }
#pragma unroll
    for (int share = 0; share < shares; ++share) {
      Vector<T, length> values;
#pragma unroll
      for (int e = 0; e < length; ++e) values[e] = without_tag(words[share][e]);
      if (wanted >> share & 1)
        *reinterpret_cast<Vector<T, length>*>(shared + target[share] + first * R::plane * bytes) = values;
    }
  }
};

}  // namespace sextant::heat3d
