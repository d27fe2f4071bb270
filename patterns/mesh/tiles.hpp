// Splits a mesh into tiles of vertices. A tile is grown by breadth-first search along edges until it owns the
// required number of vertices. It stores every edge with an end at an owned vertex, so an edge between two
// tiles is in both, and no tile adds to another tile's vertices. The edges of a tile are grouped into rounds
// of at most one edge per thread. No two edges of a round share an owned vertex.
#pragma once

#include <algorithm>
#include <bit>
#include <deque>

#include "lists.hpp"

namespace sextant::mesh {

// The tiles of a mesh. A tile's vertex list holds its owned vertices, then the other vertices at the ends of
// its edges. Each group is in ascending order. The ends of an edge are stored as 16-bit indices into this
// list. A round has one slot per thread. A slot without an edge has both ends set to `nowhere`.
struct Tiles {
  static constexpr std::uint32_t nowhere = 0xFFFF;
  int size = 0;  // number of vertices that a tile owns; the last tile may own fewer
  // Vertex lists of all tiles, concatenated. The list of tile t starts at first_vertex[t].
  std::vector<std::int32_t> vertices, first_vertex;
  // Edge in each slot of each round. The rounds of tile t start at first_round[t].
  std::vector<std::int32_t> edges, first_round;
  std::vector<std::uint32_t> ends;  // the two ends of the edge in each slot
  std::int32_t most_vertices = 0;
};

// Assigns vertices to tiles by breadth-first search. Returns all vertices, tile by tile.
inline std::vector<std::int32_t> grow(std::int64_t vertices, int size, const Incidence& lists) {
  std::vector<std::int32_t> order;
  order.reserve(static_cast<std::size_t>(vertices));
  std::vector<unsigned char> state(static_cast<std::size_t>(vertices));  // 1: queued; 2: already in a tile
  std::deque<std::int32_t> seeds, front;
  std::int32_t untouched = 0;
  const auto next_seed = [&] {
    while (!seeds.empty()) {
      const std::int32_t v = seeds.front();
      seeds.pop_front();
      if (state[static_cast<std::size_t>(v)] != 2) return v;
    }
    while (state[static_cast<std::size_t>(untouched)] == 2) ++untouched;
    return untouched;
  };
  while (order.size() < static_cast<std::size_t>(vertices)) {
    const std::size_t full =
        std::min(order.size() + static_cast<std::size_t>(size), static_cast<std::size_t>(vertices));
    while (order.size() < full) {
      if (front.empty()) front.push_back(next_seed());
      const std::int32_t v = front.front();
      front.pop_front();
      if (state[static_cast<std::size_t>(v)] == 2) continue;
      state[static_cast<std::size_t>(v)] = 2;
      order.push_back(v);
      for (std::int32_t at = lists.row[static_cast<std::size_t>(v)];
           at < lists.row[static_cast<std::size_t>(v) + 1]; ++at) {
        const std::int32_t other = lists.links[static_cast<std::size_t>(at)].other;
        if (state[static_cast<std::size_t>(other)] == 0) {
          state[static_cast<std::size_t>(other)] = 1;
          front.push_back(other);
        } else if (state[static_cast<std::size_t>(other)] == 1) {
          front.push_back(other);  // queued again, because an earlier tile may have queued it
        }
      }
    }
    for (const std::int32_t v : front)
      if (state[static_cast<std::size_t>(v)] == 1) seeds.push_back(v);
    front.clear();
  }
  return order;
}

// Builds the tiles one after the other and reuses its buffers.
class TileMaker {
 public:
  TileMaker(std::int64_t vertices, int size, int threads, const Incidence& lists)
      : lists_(lists),
        threads_(threads),
        place_(static_cast<std::size_t>(vertices), -1),
        used_(static_cast<std::size_t>(size)) {
    tiles_.size = size;
    tiles_.first_vertex.push_back(0);
    tiles_.first_round.push_back(0);
  }

  void add(std::vector<std::int32_t> owned) {
    std::sort(owned.begin(), owned.end());
    list_ = std::move(owned);
    const auto own = static_cast<std::int32_t>(list_.size());
    for (std::int32_t p = 0; p < own; ++p) place(list_[static_cast<std::size_t>(p)]) = p;
    find_others(own);
    edges_.clear();
    for (std::int32_t p = 0; p < own; ++p) {
      const auto v = static_cast<std::size_t>(list_[static_cast<std::size_t>(p)]);
      for (std::int32_t at = lists_.row[v]; at < lists_.row[v + 1]; ++at) {
        const Link& link = lists_.links[static_cast<std::size_t>(at)];
        const std::int32_t q = place(link.other);
        // each edge once: an edge between two owned vertices is visited from both ends
        if (q > p) edges_.push_back({link.edge, p, q});
      }
    }
    std::sort(edges_.begin(), edges_.end(), [](const Mine& a, const Mine& b) { return a.edge < b.edge; });
    distribute(own);
    for (const std::int32_t v : list_) place(v) = -1;
    tiles_.vertices.insert(tiles_.vertices.end(), list_.begin(), list_.end());
    tiles_.first_vertex.push_back(static_cast<std::int32_t>(tiles_.vertices.size()));
    tiles_.most_vertices = std::max(tiles_.most_vertices, static_cast<std::int32_t>(list_.size()));
  }

  Tiles take() { return std::move(tiles_); }

 private:
  struct Mine {
    // p and q index the tile's vertex list; q > p, and q may be a vertex of another tile
    std::int32_t edge, p, q;
  };

  std::int32_t& place(std::int32_t v) { return place_[static_cast<std::size_t>(v)]; }

  // Appends to the list the vertices at the tile's edges that other tiles own.
  void find_others(std::int32_t own) {
    for (std::int32_t p = 0; p < own; ++p) {
      const auto v = static_cast<std::size_t>(list_[static_cast<std::size_t>(p)]);
      for (std::int32_t at = lists_.row[v]; at < lists_.row[v + 1]; ++at) {
        const std::int32_t other = lists_.links[static_cast<std::size_t>(at)].other;
        if (place(other) != -1) continue;
        place(other) = own;  // marks the vertex as found; its final index is set below
        list_.push_back(other);
      }
    }
    std::sort(list_.begin() + own, list_.end());
    for (auto p = static_cast<std::size_t>(own); p < list_.size(); ++p)
      place(list_[p]) = static_cast<std::int32_t>(p);
  }

  // Greedy colouring: puts each edge into the first round with a free slot and no other edge at its owned
  // vertices.
  void distribute(std::int32_t own) {
    std::fill(used_.begin(), used_.end(), 0);
    const std::size_t base = tiles_.edges.size();
    std::vector<int> filled;
    std::uint64_t full = 0;
    for (const Mine& mine : edges_) {
      std::uint64_t taken = full | used_[static_cast<std::size_t>(mine.p)];
      if (mine.q < own) taken |= used_[static_cast<std::size_t>(mine.q)];
      const auto round = static_cast<std::size_t>(std::countr_one(taken));
      if (round == filled.size()) {
        filled.push_back(0);
        const std::size_t places = base + filled.size() * static_cast<std::size_t>(threads_);
        tiles_.edges.resize(places, 0);
        tiles_.ends.resize(places, Tiles::nowhere << 16 | Tiles::nowhere);
      }
      const std::size_t at =
          base + round * static_cast<std::size_t>(threads_) + static_cast<std::size_t>(filled[round]);
      tiles_.edges[at] = mine.edge;
      tiles_.ends[at] = static_cast<std::uint32_t>(mine.q) << 16 | static_cast<std::uint32_t>(mine.p);
      if (++filled[round] == threads_) full |= std::uint64_t{1} << round;
      used_[static_cast<std::size_t>(mine.p)] |= std::uint64_t{1} << round;
      if (mine.q < own) used_[static_cast<std::size_t>(mine.q)] |= std::uint64_t{1} << round;
    }
    tiles_.first_round.push_back(tiles_.first_round.back() + static_cast<std::int32_t>(filled.size()));
  }

  const Incidence& lists_;
  int threads_;
  std::vector<std::int32_t> place_;
  std::vector<std::uint64_t> used_;
  std::vector<std::int32_t> list_;
  std::vector<Mine> edges_;
  Tiles tiles_;
};

inline Tiles make_tiles(std::int64_t vertices, int size, int threads, const Incidence& lists) {
  const std::vector<std::int32_t> order = grow(vertices, size, lists);
  TileMaker maker(vertices, size, threads, lists);
  for (std::size_t at = 0; at < order.size(); at += static_cast<std::size_t>(size)) {
    const std::size_t end = std::min(at + static_cast<std::size_t>(size), order.size());
    maker.add(std::vector<std::int32_t>(order.begin() + static_cast<std::ptrdiff_t>(at),
                                        order.begin() + static_cast<std::ptrdiff_t>(end)));
  }
  return maker.take();
}

}  // namespace sextant::mesh
