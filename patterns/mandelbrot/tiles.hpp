// Assigns a tile of 8 x 4 pixels to each warp, one pixel per lane. Neighbouring pixels take similar numbers
// of steps, so lanes rarely wait for each other.
#pragma once

#include "loop.hpp"

namespace sextant::mandelbrot {

inline constexpr int tile_x = 8, tile_y = 4;

// Number of tiles per row of the image. It has 32 bits, because GPUs need many instructions to divide 64-bit
// numbers; w is at most 2^18.
constexpr std::uint32_t tiles_across(std::int64_t w) {
  return static_cast<std::uint32_t>((w + tile_x - 1) / tile_x);
}
constexpr std::int64_t tiles_of(std::int64_t w) { return tiles_across(w) * ((w + tile_y - 1) / tile_y); }

// Computes the pixel with this number. Pixels are numbered tile by tile.
SEXTANT_MANDELBROT_INLINE void do_lane(std::int64_t w, std::uint32_t across, std::int64_t number,
                                       std::int32_t limit, const std::int32_t* view, std::int32_t* count) {
  const auto tile = static_cast<std::uint32_t>(number / (tile_x * tile_y)),
             lane = static_cast<std::uint32_t>(number % (tile_x * tile_y));
  const std::uint32_t x = tile % across * tile_x + lane % tile_x, y = tile / across * tile_y + lane / tile_x;
  if (x < w && y < w)
    count[y * w + x] =
        steps_of(place_of(view, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)), limit);
}

}  // namespace sextant::mandelbrot
