// How the field lies on ranks. For the transforms along x and y a rank has whole planes of it, for those along z whole
// rows of all planes. From one to the other each rank sends every other one a piece, which is in the planes of one and in
// the rows of the other: once a transform. A piece is contiguous where it is written and where it is read, and nobody
// copies it to make it so: a rank's planes are where the pieces are that they came in.
#pragma once

#include <vector>

#include "panel_state.hpp"
#include "toolbox/share.hpp"

namespace sextant::npb_ft {
namespace {

// Where the rows of a rank's planes begin: row y of its plane z at first[y] + z * stride[y].
struct PlaneRows {
  std::vector<Complex*> first;
  std::vector<std::int64_t> stride;

  Complex* row(std::int64_t z, std::int64_t y) const {
    return first[static_cast<std::size_t>(y)] + z * stride[static_cast<std::size_t>(y)];
  }
};

// A panel of neighbouring columns of one of these planes, as Panel is of a field.
template <bool streaming>
struct PlanePanel {
  Complex* const* first;
  const std::int64_t* stride;
  std::int64_t z, x;
  int column_bits;  // log2 of columns

  SEXTANT_FLAT Complex* at(std::int64_t position) const {
    const std::int64_t row = position >> column_bits;
    return first[row] + z * stride[row] + x + (position - (row << column_bits));
  }
  template <typename V>
  SEXTANT_FLAT void load(std::int64_t position, V& re, V& im) const {
    load_complex(at(position), re, im);
  }
  template <typename V>
  SEXTANT_FLAT void store(std::int64_t position, V re, V im) const {
    store_complex<streaming>(at(position), re, im);
  }
};

// What a rank has of a field.
struct Cut {
  Extents e;
  int size = 1, rank = 0, chunks = 1;

  Share planes(int of) const { return share_of(e.z, size, of); }
  Share rows(int of) const { return share_of(e.y, size, of); }
  // The rows that are transformed and sent together, by their numbers in the field.
  Share chunk(int of, int index) const {
    const Share all = rows(of), some = share_of(all.count, chunks, index);
    return {all.first + some.first, some.count};
  }
  // The most elements of planes or of rows.
  std::int64_t elements() const { return e.x * std::max(e.y * planes(rank).count, e.z * rows(rank).count); }
};

// A piece of a field, in elements.
struct Piece {
  std::int64_t at = 0, count = 0;
};

// Of the start: as it lies in the sender's planes, and as it lies in the rows of who receives it, which are whole planes
// of those rows one after the other.
inline Piece piece_of_planes(const Cut& cut, int to) {
  const std::int64_t line = cut.e.x * cut.planes(cut.rank).count;
  return {line * cut.rows(to).first, line * cut.rows(to).count};
}
inline Piece piece_into_rows(const Cut& cut, int from) {
  const std::int64_t plane = cut.e.x * cut.rows(cut.rank).count;
  return {plane * cut.planes(from).first, plane * cut.planes(from).count};
}

// Of each step, back again: a chunk of rows lies by itself, plane after plane; received pieces lie in the order of rows.
inline Piece piece_of_rows(const Cut& cut, int chunk, int to) {
  const Share rows = cut.chunk(cut.rank, chunk), planes = cut.planes(to);
  const std::int64_t before = rows.first - cut.rows(cut.rank).first;
  return {cut.e.x * (before * cut.e.z + planes.first * rows.count), cut.e.x * planes.count * rows.count};
}
inline Piece piece_into_planes(const Cut& cut, int chunk, int from) {
  const Share rows = cut.chunk(from, chunk);
  const std::int64_t line = cut.e.x * cut.planes(cut.rank).count;
  return {line * rows.first, line * rows.count};
}

// `rows` of all planes begin at `piece`.
inline void set_rows(const Extents& e, const Share& rows, Complex* piece, PlaneRows* table) {
  for (std::int64_t i = 0; i < rows.count; ++i) {
    table->first[static_cast<std::size_t>(rows.first + i)] = piece + i * e.x;
    table->stride[static_cast<std::size_t>(rows.first + i)] = rows.count * e.x;
  }
}

// The planes as they are sent, in one memory.
inline PlaneRows rows_to_send(const Cut& cut, Complex* memory) {
  const auto count = static_cast<std::size_t>(cut.e.y);
  PlaneRows table{std::vector<Complex*>(count), std::vector<std::int64_t>(count)};
  for (int to = 0; to < cut.size; ++to)
    set_rows(cut.e, cut.rows(to), memory + piece_of_planes(cut, to).at, &table);
  return table;
}

// The planes as they are received: those of others in `received`, a rank's own, where it does not send them to itself,
// where they are: in `sent`.
inline PlaneRows rows_received(const Cut& cut, bool own_too, Complex* received, Complex* sent) {
  const auto count = static_cast<std::size_t>(cut.e.y);
  PlaneRows table{std::vector<Complex*>(count), std::vector<std::int64_t>(count)};
  for (int from = 0; from < cut.size; ++from)
    for (int chunk = 0; chunk < cut.chunks; ++chunk)
      set_rows(cut.e, cut.chunk(from, chunk),
               from == cut.rank && !own_too ? sent + piece_of_rows(cut, chunk, from).at
                                            : received + piece_into_planes(cut, chunk, from).at,
               &table);
  return table;
}

}  // namespace
}  // namespace sextant::npb_ft
