// The pass along x of fields in bricks. A block takes lines that are neighbours along y and transforms them
// in registers (lines.cuh): it reads them from `from`, or makes the random start, and writes them to `to`,
// each in an order of its own. The last pass of a step also puts aside the points that the checksum wants.
#pragma once

#include "lines.cuh"

namespace sextant::npb_ft {

// What element a thread has first: number `thread` of its line, which is number `line` of its block's.
struct XPlace {
  int thread, line, y, z;
};

// Where a pass along x finds or leaves the elements of a field that is cut into bricks of 2^log_width x
// 2^log_height x 2^log_depth. The natural order is that of bricks of one row.
struct Bricks {
  std::int64_t along_x, along_y, along_z;  // from a brick to the next
  int row, plane;                          // within a brick
  int log_width, log_height, log_depth;

  __device__ __forceinline__ std::int64_t index(const XPlace& at, int width) const {
    const auto within = [](int i, int log) { return i & ((1 << log) - 1); };
    return (at.thread >> width) * along_x + (at.y >> log_height) * along_y + (at.z >> log_depth) * along_z +
           within(at.thread, width) + within(at.y, log_height) * row + within(at.z, log_depth) * plane;
  }
};

struct XPass {
  const Pair* from;  // null: the field is not read but made: the random start, parts exchanged
  Pair* to;
  Bricks read, write;
  const Pair* factors;
  Pair* captured;  // where to put the checksum's points, j = 1 to 1024; or null
  int ny, nz;
  int log_lines, log_depth;  // lines of a block; planes that neighbouring blocks take turns in
  int first_z = 0;           // of the field's planes, where there are but some; nz: of all
};

// The elements of this thread that the checksum wants: j with 3j = y (mod ny) and 5j = z (mod nz). 3 and 5
// have inverses modulo 2^32, and so modulo any power of two. mine[e step] is element thread + e threads.
template <int n, int threads>
__device__ __forceinline__ void capture(const XPass& pass, const XPlace& at, const Pair* mine,
                                        std::int64_t step) {
  const auto y = static_cast<unsigned>(at.y), z = static_cast<unsigned>(at.z + pass.first_z);
  const unsigned ny = pass.ny, nz = pass.nz, shorter = min(ny, nz), longer = max(ny, nz);
  const unsigned by_y = y * 0xAAAAAAABu & (ny - 1), by_z = z * 0xCCCCCCCDu & (nz - 1);
  if ((by_y ^ by_z) & (shorter - 1)) return;
  unsigned j = ny > nz ? by_y : by_z;
  for (j = j == 0 ? longer : j; j <= checksum_points; j += longer)
    if (static_cast<int>(j % threads) == at.thread) pass.captured[j - 1] = mine[j % n / threads * step];
}

// Shared memory of a line of transform_x: lines are set apart so that threads which hold 2^log_width
// neighbours of several lines meet in no bank.
constexpr int x_line_elements(int n, int points, int log_width) {
  return exchange_elements(n, points) + (1 << log_width);
}

// Neighbouring threads hold elements as they lie in a brick: 2^log_width of a line, then those of the next
// line. Blocks take turns in the planes of a brick, then go on along y, then along z.
__device__ __forceinline__ XPlace x_place(const XPass& pass, int flat, int width) {
  const int lines = 1 << pass.log_lines, line = flat >> width & (lines - 1);
  const int thread = (flat & ((1 << width) - 1)) | flat >> (width + pass.log_lines) << width;
  const int block = static_cast<int>(blockIdx.x), blocks_y = pass.ny >> pass.log_lines;
  const int y = (block >> pass.log_depth & (blocks_y - 1)) * lines + line;
  const int z =
      ((block >> pass.log_depth) / blocks_y << pass.log_depth) + (block & ((1 << pass.log_depth) - 1));
  return {thread, line, y, z};
}

// Block: threads of a line times lines. Dynamic shared memory: x_line_elements of Element a line.
template <int n, int points, typename Element>
__global__ void __launch_bounds__(most_threads(points)) transform_x(XPass pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int threads = n / points;
  const int flat = static_cast<int>(threadIdx.x), width = pass.write.log_width;
  const XPlace at = x_place(pass, flat, width);
  const Exchange<points, Element> exchange{
      reinterpret_cast<Element*>(shared) + at.line * x_line_elements(n, points, width), 1};
  double re[points], im[points];
  if (pass.from) {
    load_line(pass.from + pass.read.index(at, width), (threads >> width) * pass.read.along_x, re, im);
  } else {
    const auto z = static_cast<std::int64_t>(at.z + pass.first_z);
    random_line<points, threads>((z * pass.ny + at.y) * n + at.thread, re, im);
  }
  passes<n, points, 1>(at.thread, pass.factors, exchange, re, im);
  Pair* const to = pass.to + pass.write.index(at, width);
  const std::int64_t step = (threads >> width) * pass.write.along_x;
  store_line(to, step, re, im);
  if (pass.captured) capture<n, threads>(pass, at, to, step);
}

}  // namespace sextant::npb_ft
