// The longer side is halved until a block is small: whatever a cache holds, some level of the halving fits it. Large
// halves are tasks.
#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Base {
  int base = 32;  // a block's longer side, elements
};

constexpr std::int64_t least_task = std::int64_t{1} << 16;  // elements

template <typename T>
void turn(const Extents& extents, const T* a, T* y, std::int64_t i, std::int64_t i_end, std::int64_t j,
          std::int64_t j_end, std::int64_t base) {
  const std::int64_t height = i_end - i, width = j_end - j;
  if (height <= base && width <= base) return transpose::turn_block(extents, a, y, i, i_end, j, j_end);
  const bool along_i = height >= width;
  const std::int64_t i_half = along_i ? i + height / 2 : i_end, j_half = along_i ? j_end : j + width / 2;
#pragma omp task default(none) shared(extents) \
    firstprivate(a, y, i, i_half, j, j_half, base) if (height * width > least_task)
  turn(extents, a, y, i, i_half, j, j_half, base);
  turn(extents, a, y, along_i ? i_half : i, i_end, along_i ? j : j_half, j_end, base);
#pragma omp taskwait
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  const std::int64_t base = call.tuned<Base>().base;
#pragma omp parallel
#pragma omp single
  turn(extents, a, y, 0, extents.y, 0, extents.x, base);
}

}  // namespace

Variant transpose_openmp_recursive() {
  Variant variant;
  variant.description = "halves of the longer side as tasks, down to small blocks: suits every cache";
  variant.tunables = tunables<Base>({{"base", &Base::base, {16, 32, 64, 128}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
