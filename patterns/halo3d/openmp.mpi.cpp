// MPI ranks: the data for each other rank are packed into one message, sent, and unpacked. Data that stay on
// the rank are copied while the messages travel. Packing takes one parallel region (fused=1), or one per
// region of the halo.
#include <algorithm>
#include <cstring>
#include <memory>

#include "loop.hpp"
#include "messages.hpp"
#include "rank_parts.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/memory.hpp"

namespace sextant {
namespace {

using namespace halo3d;

struct Shape {
  int fused = 1;
};

constexpr std::int64_t guard_bytes = 4096;
constexpr unsigned char guard = 0xFF;  // these bytes are NaN in any floating-point type

struct Field {
  std::vector<Part> cut;
  Messages sent, received;
  std::vector<Packed> within;
  HostMemory<char> memory, out, in;
  std::int64_t bytes = 0;  // size of this rank's array, without the guard zones
  std::vector<parts::Request> requests;

  template <typename T>
  T* data() const {
    return reinterpret_cast<T*>(memory.get() + guard_bytes);
  }
  bool guards_hold() const {
    const auto holds = [](char byte) { return static_cast<unsigned char>(byte) == guard; };
    const char* const end = memory.get() + guard_bytes + bytes;
    return std::all_of(memory.get(), memory.get() + guard_bytes, holds) &&
           std::all_of(end, end + guard_bytes, holds);
  }
};

// Calls copy(piece, offset in the message, first row, last row + 1) for the rows of all pieces, in parallel.
template <typename Copy>
void for_rows(const std::vector<Packed>& pieces, bool fused, Copy copy) {
  const auto share = [&](const Packed& packed) {
    const std::int64_t rows = packed.piece.rows();
#pragma omp for schedule(static) nowait
    for (std::int64_t row = 0; row < rows; ++row) copy(packed.piece, packed.first, row, row + 1);
  };
  if (fused) {
#pragma omp parallel
    for (const Packed& packed : pieces) share(packed);
    return;
  }
  for (const Packed& packed : pieces) {
#pragma omp parallel
    share(packed);
  }
}

template <typename T>
int begin_messages(const Call& call, Field& field) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  int count = 0;
  for (const Message& message : field.received.messages)
    call.parts.ranks->irecv(field.in.get() + message.first * size, message.count * size, message.other,
                            &field.requests[static_cast<std::size_t>(count++)]);
  for (const Message& message : field.sent.messages)
    call.parts.ranks->isend(field.out.get() + message.first * size, message.count * size, message.other,
                            &field.requests[static_cast<std::size_t>(count++)]);
  return count;
}

template <typename T>
void launch(const Call& call) {
  auto& field = *static_cast<Field*>(call.state);
  const bool fused = call.tuned<Shape>().fused != 0;
  T *const u = field.data<T>(), *const out = reinterpret_cast<T*>(field.out.get());
  const T* const in = reinterpret_cast<const T*>(field.in.get());
  for_rows(field.sent.pieces, fused,
           [=](const Piece& piece, std::int64_t at, std::int64_t first, std::int64_t last) {
             copy_rows<T>(piece, piece.from, piece.dense(at), u, out, first, last);
           });
  const int count = begin_messages<T>(call, field);
  for_rows(field.within, fused, [=](const Piece& piece, std::int64_t, std::int64_t first, std::int64_t last) {
    copy_rows<T>(piece, piece.from, piece.to, u, u, first, last);
  });
  call.parts.ranks->waitall(count, field.requests.data());
  for_rows(field.received.pieces, fused,
           [=](const Piece& piece, std::int64_t at, std::int64_t first, std::int64_t last) {
             copy_rows<T>(piece, piece.dense(at), piece.to, in, u, first, last);
           });
}

const char* prepare(const Call& call, void** state) {
  const Problem& problem = call.problem;
  const int rank = call.parts.ranks->rank;
  const auto size = static_cast<std::int64_t>(element_size(problem.type));
  auto field = std::make_unique<Field>();
  field->cut = parts_of(problem);
  field->sent = messages_from(problem, field->cut, rank);
  field->received = messages_to(problem, field->cut, rank);
  for (const Piece& piece : pieces_within(problem, field->cut, rank)) field->within.push_back({piece, 0});
  field->requests.resize(field->sent.messages.size() + field->received.messages.size());
  field->bytes = field->cut[static_cast<std::size_t>(rank)].elements(problem) * size;
  const std::int64_t all = field->bytes + 2 * guard_bytes;
  field->memory = allocate_host<char>(all);
  field->out = allocate_host<char>(std::max<std::int64_t>(field->sent.elements * size, 1));
  field->in = allocate_host<char>(std::max<std::int64_t>(field->received.elements * size, 1));
  if (!field->memory || !field->out || !field->in) return "no host memory for this rank's array and messages";
  std::memset(field->memory.get(), guard, static_cast<std::size_t>(all));
  *state = field.release();
  return nullptr;
}

void scatter(const Call& call) {
  auto& field = *static_cast<Field*>(call.state);
  hand_out(call, field.cut, field.data<char>(), field.bytes);
}

// Copies the subdomain back. If a guard zone was overwritten, it fills the subdomain with NaN, so that the
// check of the results fails.
void gather(const Call& call) {
  auto& field = *static_cast<Field*>(call.state);
  if (!field.guards_hold()) std::memset(field.data<char>(), guard, static_cast<std::size_t>(field.bytes));
  collect(call, field.cut, field.data<char>(), field.bytes);
}

// Returns the bytes that a rank needs for its array and message buffers, as the maximum over all ranks.
std::int64_t workspace(const Problem& problem, const Shape&) {
  const std::vector<Part> all = parts_of(problem);
  std::int64_t most = 0;
  for (int part = 0; part < problem.parts; ++part)
    most = std::max(most, all[static_cast<std::size_t>(part)].elements(problem) +
                              messages_from(problem, all, part).elements +
                              messages_to(problem, all, part).elements);
  return most * static_cast<std::int64_t>(element_size(problem.type)) + 2 * guard_bytes;
}

}  // namespace

std::vector<Variant> halo3d_openmp_mpi() {
  Variant variant;
  variant.name = "mpi";
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.description =
      "one packed message per other rank, copied by threads; halo regions within the rank are copied "
      "meanwhile";
  variant.tunables = tunables<Shape>({{"fused", &Shape::fused, {0, 1}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = [](const Problem& problem, const int*) { return why_too_narrow(problem); };
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Field*>(state); };
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  return {variant};
}

}  // namespace sextant
