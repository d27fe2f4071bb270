// The messages that a subdomain sends and receives. There is one message per other subdomain, which holds all
// data for that subdomain.
#pragma once

#include "cut.hpp"

namespace sextant::halo3d {

// The data for one neighbour and their offset in the message buffer, in elements.
struct Packed {
  Piece piece;
  std::int64_t first = 0;
};

struct Message {
  int other = 0;
  std::int64_t first = 0, count = 0;  // offset in the message buffer and length, in elements
};

struct Messages {
  std::vector<Packed> pieces;
  std::vector<Message> messages;  // ordered by the number of the other subdomain
  std::int64_t elements = 0;

  void begin(int other) { messages.push_back({other, elements, 0}); }
  void add(const Piece& piece) {
    pieces.push_back({piece, elements});
    elements += piece.count();
    messages.back().count += piece.count();
  }
  void end() {
    if (messages.back().count == 0) messages.pop_back();
  }
};

inline Messages messages_from(const Problem& problem, const std::vector<Part>& all, int part) {
  Messages sent;
  const auto pieces = pieces_of(problem, all, part);
  for (int other = 0; other < problem.parts; ++other) {
    if (other == part) continue;
    sent.begin(other);
    for (const Piece& piece : pieces)
      if (piece.to_part == other) sent.add(piece);
    sent.end();
  }
  return sent;
}

// Returns the messages that subdomain `part` receives, with their pieces in the order in which the senders
// pack them.
inline Messages messages_to(const Problem& problem, const std::vector<Part>& all, int part) {
  Messages received;
  for (int other = 0; other < problem.parts; ++other) {
    if (other == part) continue;
    received.begin(other);
    for (const Piece& piece : pieces_of(problem, all, other))
      if (piece.to_part == part) received.add(piece);
    received.end();
  }
  return received;
}

// Returns the pieces that a subdomain sends to itself.
inline std::vector<Piece> pieces_within(const Problem& problem, const std::vector<Part>& all, int part) {
  std::vector<Piece> own;
  for (const Piece& piece : pieces_of(problem, all, part))
    if (piece.to_part == part) own.push_back(piece);
  return own;
}

}  // namespace sextant::halo3d
