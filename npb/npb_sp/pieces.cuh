// Solves long lines in shared memory with one warp per system. Each lane has R rows of the system; the last
// two are its separator. First a lane eliminates its other rows and keeps only their contributions to the
// adjacent separators. The lanes solve the system of all separators by parallel cyclic reduction. Then each
// lane eliminates its rows again and solves them with the factors in registers, which saves shared memory.
#pragma once

#include "lines.cuh"

namespace sextant::npb_sp {

// Layout of the right-hand sides and terms of a thread block's L lines. It avoids bank conflicts between
// lanes, which are R rows apart, and between adjacent lines.
enum PieceSlot : int { along = 5, diffusion_of, sound_of, piece_slots };
template <int L, int R>
struct Pieces {
  static constexpr int rows = warp_size * R, pitch = (rows + 1 - 16 / L + 15) / 16 * 16 + 16 / L,
                       of_slot = L * pitch;
  static constexpr std::size_t bytes = sizeof(double) * piece_slots * of_slot;
};

// Diagonal of the rows after a line's end. It is so large that their unknowns vanish.
inline constexpr double beyond = 1e30;

// Stores a point's right-hand sides and terms in shared memory. In a line's first and last row (`at_end`),
// the diagonal of the fourth difference is 5 instead of 6. The terms stored there lower the diagonal and
// otherwise change only a coefficient outside the line.
template <int axis>
__device__ __forceinline__ void put_piece(const Line& line, const Point& point, int at_end, int apart,
                                          double* to) {
  const Terms terms = put_rights<axis>(line, point, apart, to);
  const double half = 0.5 * line.fourth;
  to[along * apart] = terms.along + at_end * half;  // at_end is 1 for the first row, -1 for the last one
  to[diffusion_of * apart] = terms.spread + 4 * line.fourth - (at_end != 0 ? half : 0);
  to[sound_of * apart] = terms.sound;
}

// The two separator rows of a lane during cyclic reduction: x + lower x' + upper x'' = y. x' and x'' are the
// separators of the lanes `lanes_apart` before and after this lane.
template <int rights>
struct Between {
  double lower[2][2], upper[2][2], y[rights][2];

  __device__ static void multiply(const double (&m)[2][2], double (&columns)[2][2]) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const double one = columns[0][k], two = columns[1][k];
      columns[0][k] = m[0][0] * one + m[0][1] * two, columns[1][k] = m[1][0] * one + m[1][1] * two;
    }
  }
  template <bool last>
  __device__ void divide(const double (&own)[2][2]) {
    const double scale = reciprocal(own[0][0] * own[1][1] - own[0][1] * own[1][0]);
    const double m[2][2] = {{own[1][1] * scale, -own[0][1] * scale}, {-own[1][0] * scale, own[0][0] * scale}};
    if constexpr (!last) multiply(m, lower), multiply(m, upper);
#pragma unroll
    for (int k = 0; k < rights; ++k) {
      const double one = y[k][0], two = y[k][1];
      y[k][0] = m[0][0] * one + m[0][1] * two, y[k][1] = m[1][0] * one + m[1][1] * two;
    }
  }
  static constexpr unsigned all = 0xFFFFFFFFu;
  template <int lanes_apart>
  __device__ void reduce() {
    constexpr bool last = 2 * lanes_apart >= warp_size;
    double own[2][2] = {{1, 0}, {0, 1}}, next_lower[2][2], next_upper[2][2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      double from_lower[2], from_upper[2];
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        from_lower[row] = __shfl_up_sync(all, upper[row][k], lanes_apart);
        from_upper[row] = __shfl_down_sync(all, lower[row][k], lanes_apart);
      }
#pragma unroll
      for (int row = 0; row < 2; ++row)
        own[row][k] -= lower[row][0] * from_lower[0] + lower[row][1] * from_lower[1] +
                       upper[row][0] * from_upper[0] + upper[row][1] * from_upper[1];
      if constexpr (!last) {
        double lowest[2], uppermost[2];
#pragma unroll
        for (int row = 0; row < 2; ++row) {
          lowest[row] = __shfl_up_sync(all, lower[row][k], lanes_apart);
          uppermost[row] = __shfl_down_sync(all, upper[row][k], lanes_apart);
        }
#pragma unroll
        for (int row = 0; row < 2; ++row) {
          next_lower[row][k] = -(lower[row][0] * lowest[0] + lower[row][1] * lowest[1]);
          next_upper[row][k] = -(upper[row][0] * uppermost[0] + upper[row][1] * uppermost[1]);
        }
      }
    }
#pragma unroll
    for (int k = 0; k < rights; ++k) {
      const double low0 = __shfl_up_sync(all, y[k][0], lanes_apart),
                   low1 = __shfl_up_sync(all, y[k][1], lanes_apart),
                   up0 = __shfl_down_sync(all, y[k][0], lanes_apart),
                   up1 = __shfl_down_sync(all, y[k][1], lanes_apart);
#pragma unroll
      for (int row = 0; row < 2; ++row)
        y[k][row] -= lower[row][0] * low0 + lower[row][1] * low1 + upper[row][0] * up0 + upper[row][1] * up1;
    }
    if constexpr (!last) {
#pragma unroll
      for (int row = 0; row < 2; ++row)
#pragma unroll
        for (int k = 0; k < 2; ++k) lower[row][k] = next_lower[row][k], upper[row][k] = next_upper[row][k];
    }
    divide<last>(own);
    if constexpr (!last) reduce<2 * lanes_apart>();
  }
};

// The R rows of a system that one lane has.
template <int rights, int R>
struct Piece {
  static constexpr int inside = R - 2, columns = rights + 2;
  double w, weight, sign;
  const double* terms;  // address of the terms of the lane's first row
  double* r;            // right-hand sides of the lane's first row
  int apart, lane;

  __device__ Pair pair(int place) const {
    const double velocity = terms[place] + (rights == 1 ? sign * terms[2 * apart + place] : 0),
                 spread = terms[apart + place];
    return {velocity - spread, -velocity - spread};
  }
  // The two previous rows during elimination: x + first x' + second x'' = y. x' and x'' are the next two
  // unknowns.
  template <int count>
  struct Before {
    double first[2] = {}, second[2] = {}, y[count][2] = {},
           behind;  // behind: coefficient of the previous point
  };

  // Eliminates row `place` and updates `before`. `right` has the right-hand sides. Additional columns have
  // zero as right-hand side.
  template <int count>
  __device__ __forceinline__ void eliminate(const Pair& here, const Pair& after,
                                            const double (&right)[rights], Before<count>& before) const {
    const double b = before.behind - w * before.first[0];
    const Guess guess(here.diagonal(weight) - w * before.second[0] - b * before.first[1]);
    const double first = guess.times(after.before - b * before.second[1]), second = guess.times(w);
#pragma unroll
    for (int m = 0; m < count; ++m) {
      const double from = w * before.y[m][0] + b * before.y[m][1];
      before.y[m][0] = before.y[m][1];
      before.y[m][1] = guess.times(m < rights ? right[m < rights ? m : 0] - from : -from);
    }
    before.first[0] = before.first[1], before.first[1] = first;
    before.second[0] = before.second[1], before.second[1] = second;
    before.behind = here.next;
  }
  __device__ void get_right(int place, double (&right)[rights]) const {
#pragma unroll
    for (int m = 0; m < rights; ++m) right[m] = r[m * apart + place];
  }

  // Computes the lane's separator rows for the reduced system.
  __device__ __forceinline__ void separators(Between<rights>& between, double behind) const {
    Before<columns> before;
    before.behind = behind;
    before.y[rights][0] = before.y[rights + 1][1] = 1;
    Pair here = pair(0);
    // `reach` has the coefficients of the two current unknowns in the previous separator's rows. `sums` has
    // the right-hand sides of those rows.
    double reach[2][2] = {{w, 0}, {here.before, w}}, sums[2][columns] = {};
    double right[rights];
#pragma unroll
    for (int place = 0; place < inside; ++place) {
      const Pair after = pair(place + 1);
      get_right(place, right);
      eliminate(here, after, right, before);
#pragma unroll
      for (int row = 0; row < 2; ++row) {
#pragma unroll
        for (int m = 0; m < columns; ++m) sums[row][m] += reach[row][0] * before.y[m][1];
        const double at_hand = reach[row][0];
        reach[row][0] = reach[row][1] - at_hand * before.first[1];
        reach[row][1] = -at_hand * before.second[1];
      }
      here = after;
    }
    const Pair last = pair(inside + 1);
    const double b = before.behind - w * before.first[0];
    double own[2][2] = {{here.diagonal(weight) - w * before.second[0] - b * before.first[1],
                         last.before - b * before.second[1]},
                        {here.next - w * before.first[1], last.diagonal(weight) - w * before.second[1]}};
    const unsigned all = Between<rights>::all;
    const bool is_first = lane == 0, is_last = lane == warp_size - 1;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const double(&y)[2] = before.y[rights + k];
      between.lower[0][k] = is_first ? 0 : w * y[0] + b * y[1];
      between.lower[1][k] = is_first ? 0 : w * y[1];
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        const double others = __shfl_down_sync(all, sums[row][rights + k], 1),
                     far = __shfl_down_sync(all, reach[row][k], 1);
        own[row][k] += is_last ? 0 : others;
        between.upper[row][k] = is_last ? 0 : far;
      }
    }
    double second_right[rights];
    get_right(inside, right);
    get_right(inside + 1, second_right);
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double(&y)[2] = before.y[m];
      const double one = __shfl_down_sync(all, sums[0][m], 1), two = __shfl_down_sync(all, sums[1][m], 1);
      between.y[m][0] = right[m] - w * y[0] - b * y[1] - (is_last ? 0 : one);
      between.y[m][1] = second_right[m] - w * y[1] - (is_last ? 0 : two);
    }
    between.template divide<false>(own);
  }

  // Solves the lane's other rows when the separators are known.
  __device__ __forceinline__ void finish(const Between<rights>& between, double behind) const {
    Before<rights> before;
    before.behind = behind;
    double x[rights][2];  // unknowns of the next two rows, the nearer one first
#pragma unroll
    for (int m = 0; m < rights; ++m)
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        const double of_lane_before = __shfl_up_sync(Between<rights>::all, between.y[m][row], 1);
        before.y[m][row] = lane == 0 ? 0 : of_lane_before;
        r[m * apart + inside + row] = x[m][row] = between.y[m][row];
      }
    double first[inside], second[inside];
    Pair here = pair(0);
#pragma unroll
    for (int place = 0; place < inside; ++place) {
      const Pair after = pair(place + 1);
      double right[rights];
      get_right(place, right);
      eliminate(here, after, right, before);
      first[place] = before.first[1], second[place] = before.second[1];
#pragma unroll
      for (int m = 0; m < rights; ++m) r[m * apart + place] = before.y[m][1];
      here = after;
    }
#pragma unroll
    for (int place = inside - 1; place >= 0; --place)
#pragma unroll
      for (int m = 0; m < rights; ++m) {
        const double one = r[m * apart + place] - first[place] * x[m][0] - second[place] * x[m][1];
        r[m * apart + place] = one;
        x[m][1] = x[m][0], x[m][0] = one;
      }
  }
};

// Solves a system of a line with one warp. `at` must point to the line's first row.
template <int rights, int R>
__device__ __forceinline__ void solve_in_pieces(const Line& line, double* at, int apart, int lane,
                                                int first_right, double sign) {
  const int place = lane * R;
  const Piece<rights, R> piece = {line.fourth,
                                  1 - 2 * line.fourth,
                                  sign,
                                  at + along * apart + place,
                                  at + first_right * apart + place,
                                  apart,
                                  lane};
  const double behind = lane == 0 ? 0 : piece.pair(-1).next;
  Between<rights> between;
  piece.separators(between, behind);
  between.template reduce<1>();
  piece.finish(between, behind);
}

inline constexpr int warps_of_line = 2;

// Solves lines along `axis` with one warp per system, in thread blocks with two warps per line. One warp
// solves the system of right-hand sides 0 to 2, the other one the two remaining systems.
template <int axis, int L, int R>
__global__ void __launch_bounds__(warps_of_line* warp_size* L, 8 / L)
    solve_pieces(Grid g, Line line, FirstTurn turn, const double* __restrict__ sound, double* u, double* b) {
  extern __shared__ double data[];
  wait_for_turn(turn);
  using P = Pieces<L, R>;
  constexpr int apart = P::of_slot;
  const LinesOfBlock<axis, L> lines(g);
  double* const to = data + lines.l * P::pitch;
  lines.read(sound, u, b, [&](int q, const Point& point) {
    put_piece<axis>(line, point, q == 0 ? 1 : q == lines.inner - 1 ? -1 : 0, apart, to + q);
  });
  for (int q = lines.inner + lines.q0; q <= P::rows; q += lines.across)
#pragma unroll
    for (int slot = 0; slot < piece_slots; ++slot)
      to[slot * apart + q] = slot == along || slot == diffusion_of ? 0.5 * beyond : 0;
  lines.fetch_states(u);
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / warp_size,
            lane = static_cast<int>(threadIdx.x) % warp_size;
  double* const at = data + warp / warps_of_line * P::pitch;
  if (warp % warps_of_line == 0) {
    solve_in_pieces<3, R>(line, at, apart, lane, 0, 0.0);
  } else {
#pragma unroll 1
    for (int system = 0; system < 2; ++system)
      solve_in_pieces<1, R>(line, at, apart, lane, 3 + system, system == 0 ? 1.0 : -1.0);
  }
  __syncthreads();
  lines.write(sound, u, b, [&](int q) { return rights_at(to + q, apart); });
}

}  // namespace sextant::npb_sp
