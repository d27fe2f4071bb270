#include "scaling/exchange.hpp"

#include <algorithm>
#include <cmath>

namespace sextant::scaling {
namespace {

using Pattern = Exchange::Pattern;

double stages(double parts) { return parts > 1 ? std::ceil(std::log2(parts) - 1e-9) : 0; }

// Counts messages for slabs: each partition is several planes and has two neighbours. At the edge of a
// cluster node, one neighbour is on another node.
Load slabs(const Cut& cut, int parts, int parts_of_node) {
  const double neighbours = std::min(2, parts - 1);
  const double away = parts <= parts_of_node ? 0 : parts_of_node == 1 ? neighbours : 1;
  const double near = neighbours - away;
  return {{cut.rounds * near, cut.rounds * near * cut.bytes},
          {cut.rounds * away, cut.rounds * away * cut.bytes},
          false};
}

// Counts messages for 3D blocks with six neighbours each. A node with eight blocks holds a 2x2x2 cube of
// them, so each block has three neighbours on other nodes.
Load blocks(const Cut& cut, int parts, int parts_of_node) {
  const double face = cut.bytes * std::pow(cut.planes * cut.plane_points / parts, 2.0 / 3) / cut.plane_points;
  const double away = parts <= parts_of_node ? 0 : parts_of_node >= 8 ? 3 : 6;
  return {{cut.rounds * (6 - away), cut.rounds * (6 - away) * face},
          {cut.rounds * away, cut.rounds * away * face},
          false};
}

// Counts messages of an all-reduce along a binary tree, to the root and back. The lower stages of the tree
// stay within nodes.
Load tree(const Cut& cut, int parts, int parts_of_node) {
  const double near = 2 * stages(std::min(parts, parts_of_node));
  const double away = 2 * stages(parts) - near;
  return {{cut.rounds * near, cut.rounds * near * cut.bytes},
          {cut.rounds * away, cut.rounds * away * cut.bytes},
          false};
}

// Counts messages of a ring all-reduce. If the ring leaves a node, all messages count as network messages,
// because the slowest one determines the time of each step.
Load ring(const Cut& cut, int parts, int parts_of_node) {
  const double steps = 2.0 * (parts - 1);
  const Messages all = {cut.rounds * steps, cut.rounds * steps * cut.bytes / parts};
  return parts <= parts_of_node ? Load{all, {}, false} : Load{{}, all, false};
}

double bytes_of_part(const Cut& cut, int parts) { return cut.weak ? cut.bytes : cut.bytes / parts; }

Load transposition(const Cut& cut, int parts, int parts_of_node) {
  const double own = cut.rounds * bytes_of_part(cut, parts);
  const double near = std::min(parts, parts_of_node) - 1, away = parts - 1 - near;
  return {{cut.rounds * near, own * near / parts}, {cut.rounds * away, own * away / parts}, true};
}

// Counts messages of a transposition with pencil decomposition: two all-to-all exchanges, each among
// sqrt(parts) partitions. The first stays within nodes if nodes are large enough.
Load pencils(const Cut& cut, int parts, int parts_of_node) {
  const double among = std::sqrt(parts), own = cut.rounds * bytes_of_part(cut, parts);
  const Messages one = {cut.rounds * (among - 1), own * (among - 1) / among};
  const Messages both = {2 * one.count, 2 * one.bytes};
  if (parts <= parts_of_node) return {both, {}, false};
  return among <= parts_of_node ? Load{one, one, false} : Load{{}, both, false};
}

// Fits latency and time per byte to measured times by least squares. messages[i] belongs to measured[i].
Tier fit(const std::vector<Messages>& messages, const std::vector<TimedMessages>& measured, bool* one_size) {
  double cc = 0, cb = 0, bb = 0, c = 0, b = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const double count = messages[i].count / measured[i].seconds,
                 bytes = messages[i].bytes / measured[i].seconds;
    cc += count * count, cb += count * bytes, bb += bytes * bytes, c += count, b += bytes;
  }
  const double determinant = cc * bb - cb * cb;
  *one_size = !(determinant > 1e-6 * cc * bb);
  const Tier latency_alone{cc > 0 ? c / cc : 0, 0};
  if (*one_size) return latency_alone;
  const Tier both{(c * bb - b * cb) / determinant, (b * cc - c * cb) / determinant};
  if (both.latency < 0) return {0, b / bb};
  if (both.per_byte < 0) return latency_alone;
  return both;
}

}  // namespace

double seconds_of(const Messages& messages, const Tier& tier) {
  return messages.count * tier.latency + messages.bytes * tier.per_byte;
}

double bytes_of_cut(const Cut& cut, int parts, double bytes_sent) {
  if (parts < 2 || !(cut.rounds > 0)) return 0;
  const double each = bytes_sent / cut.rounds, p = parts;
  switch (cut.pattern) {
    case Pattern::planes:
      return each / std::min(2, parts - 1);
    case Pattern::all_reduce:
      return each;
    case Pattern::all_to_all:  // a partition keeps 1/p of its data and sends the rest
      return cut.weak ? each * p / (p - 1) : each * p * p / (p - 1);
    case Pattern::none:
      break;
  }
  return 0;
}

std::vector<Load> loads_of(const Cut& cut, int parts, int parts_of_node) {
  const int node = parts_of_node > 0 ? parts_of_node : parts;
  const bool too_many = cut.planes > 0 && parts > cut.planes;
  if (parts < 2) return {};
  switch (cut.pattern) {
    case Pattern::planes:
      return {too_many ? blocks(cut, parts, node) : slabs(cut, parts, node)};
    case Pattern::all_reduce:
      return {tree(cut, parts, node), ring(cut, parts, node)};
    case Pattern::all_to_all:
      return {too_many ? pencils(cut, parts, node) : transposition(cut, parts, node)};
    case Pattern::none:
      break;
  }
  return {};
}

double seconds_of(const Load& load, const Tier& link, const Tier& network) {
  const double near = load.link.bytes * link.per_byte, away = load.network.bytes * network.per_byte;
  return load.link.count * link.latency + load.network.count * network.latency +
         (load.together ? std::max(near, away) : near + away);
}

double fastest(const std::vector<Load>& loads, const Tier& link, const Tier& network) {
  double best = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const double seconds = seconds_of(loads[i], link, network);
    best = i == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

FittedTier fit_tier(const std::vector<TimedMessages>& measured) {
  FittedTier fitted;
  std::vector<Messages> messages;
  for (const TimedMessages& one : measured) messages.push_back(one.algorithms.front().link);
  // The fastest algorithm depends on the fitted values, so the fit is repeated with the algorithm selected by
  // the previous fit.
  for (int turn = 0; turn < 4; ++turn) {
    fitted.tier = fit(messages, measured, &fitted.one_size);
    for (std::size_t i = 0; i < messages.size(); ++i)
      for (const Load& algorithm : measured[i].algorithms)
        if (seconds_of(algorithm.link, fitted.tier) < seconds_of(messages[i], fitted.tier))
          messages[i] = algorithm.link;
  }
  if (fitted.one_size && messages.front().count > 0)
    fitted.message = messages.front().bytes / messages.front().count;
  return fitted;
}

}  // namespace sextant::scaling
