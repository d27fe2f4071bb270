// Builds the colours of a mesh's edges and the list of edges at each vertex. No two edges of a colour share a
// vertex. Variants call these functions in `prepare`.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace sextant::mesh {

// Edges sorted by colour: order[begin[c]] … order[begin[c+1]-1] are the edges of colour c.
struct Colours {
  std::vector<std::int32_t> order, begin;
  std::size_t count() const { return begin.size() - 1; }
};

// Greedy colouring: each edge gets the first colour not used by an earlier edge at its ends. With six edges
// per vertex, that takes at most eleven colours.
inline Colours colour(std::int64_t vertices, std::int64_t edges, const std::int32_t* ends) {
  std::vector<std::uint64_t> taken(static_cast<std::size_t>(vertices));
  std::vector<unsigned char> colours(static_cast<std::size_t>(edges));
  Colours result;
  std::vector<std::int32_t> counts;
  for (std::int64_t e = 0; e < edges; ++e) {
    std::uint64_t &at_i = taken[static_cast<std::size_t>(ends[2 * e])],
                  &at_j = taken[static_cast<std::size_t>(ends[2 * e + 1])];
    const auto first = static_cast<std::size_t>(std::countr_one(at_i | at_j));
    at_i |= std::uint64_t{1} << first;
    at_j |= std::uint64_t{1} << first;
    colours[static_cast<std::size_t>(e)] = static_cast<unsigned char>(first);
    if (counts.size() <= first) counts.resize(first + 1);
    ++counts[first];
  }
  result.begin.push_back(0);
  for (const std::int32_t count : counts) result.begin.push_back(result.begin.back() + count);
  std::vector<std::int32_t> next(result.begin.begin(), result.begin.end() - 1);
  result.order.resize(static_cast<std::size_t>(edges));
  for (std::int64_t e = 0; e < edges; ++e)
    result.order[static_cast<std::size_t>(next[colours[static_cast<std::size_t>(e)]]++)] =
        static_cast<std::int32_t>(e);
  return result;
}

// An edge as seen from one of its vertices, v; `other` is the vertex at its other end. r[v] is the sum of
// w[edge] * (q[other] - q[v]) over the links of v.
struct Link {
  std::int32_t edge, other;
};

// The links of vertex v are links[row[v]] … links[row[v+1]-1], ordered by edge.
struct Incidence {
  std::vector<std::int32_t> row;
  std::vector<Link> links;
};

inline Incidence incidence_of(std::int64_t vertices, std::int64_t edges, const std::int32_t* ends) {
  Incidence result;
  result.row.resize(static_cast<std::size_t>(vertices) + 1);
  result.links.resize(static_cast<std::size_t>(2 * edges));
  for (std::int64_t at = 0; at < 2 * edges; ++at) ++result.row[static_cast<std::size_t>(ends[at]) + 1];
  for (std::size_t v = 1; v < result.row.size(); ++v) result.row[v] += result.row[v - 1];
  std::vector<std::int32_t> next(result.row.begin(), result.row.end() - 1);
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::int32_t i = ends[2 * e], j = ends[2 * e + 1];
    result.links[static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++)] = {
        static_cast<std::int32_t>(e), j};
    result.links[static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++)] = {
        static_cast<std::int32_t>(e), i};
  }
  return result;
}

}  // namespace sextant::mesh
