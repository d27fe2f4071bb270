#include <vector>

#include "ranks.hpp"

namespace sextant {
namespace {

using namespace all_reduce;

// Recursive doubling: in each step, ranks whose numbers differ in one bit exchange whole vectors. This takes
// log2(ranks) steps, the minimum. If the number of ranks is not a power of two, each surplus rank first sends
// its vector to a lower rank, and receives the sum at the end.
namespace doubling {

template <typename T>
void launch(const Call& call) {
  const auto& vectors = *static_cast<const RankVectors*>(call.state);
  const parts::Ranks& ranks = *call.parts.ranks;
  const std::int64_t n = call.problem.extents.x, bytes = n * static_cast<std::int64_t>(sizeof(T));
  const T* const a = vectors.from->data<const T>();
  T *const c = vectors.to->data<T>(), *const other = reinterpret_cast<T*>(vectors.between.get());
  int power = 1;
  while (2 * power <= ranks.size) power *= 2;
  const int beyond = ranks.size - power;
  parts::Request requests[2];
  if (ranks.rank >= power) {
    ranks.isend(a, bytes, ranks.rank - power, &requests[0]);
    ranks.irecv(c, bytes, ranks.rank - power, &requests[1]);
    return ranks.waitall(2, requests);
  }
  const T* sum = a;
  if (ranks.rank < beyond) {
    ranks.irecv(other, bytes, ranks.rank + power, &requests[0]);
    ranks.waitall(1, requests);
    add(a, other, c, n);
    sum = c;
  }
  for (int bit = 1; bit < power; bit *= 2) {
    ranks.irecv(other, bytes, ranks.rank ^ bit, &requests[0]);
    ranks.isend(sum, bytes, ranks.rank ^ bit, &requests[1]);
    ranks.waitall(2, requests);
    add(sum, other, c, n);
    sum = c;
  }
  if (sum == a) copy(a, c, n);
  if (ranks.rank >= beyond) return;
  ranks.isend(c, bytes, ranks.rank + power, &requests[0]);
  ranks.waitall(1, requests);
}

Variant form() {
  Variant variant;
  variant.description =
      "recursive doubling: ranks exchange whole vectors at distances 1, 2, 4, …; threads add them";
  complete_vectors<RankVectors>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = [](const Problem& problem, const int*) { return bytes_of_parts(problem, 3); };
  variant.prepare = [](const Call& call, void** state) {
    return prepare_vectors(call, call.problem.extents.x, true, state);
  };
  return variant;
}

}  // namespace doubling

// Ring all-reduce: the vector is split into one block per rank. Each block travels around the ring once to be
// summed, and once more as the result. Blocks are sent in segments, so that a rank adds one segment while it
// receives the next.
namespace ring {

struct Shape {
  int segments = 1;
};

struct Ring : RankVectors {
  // `arriving` holds the receive requests of one step, `leaving` the send requests of two steps.
  std::vector<parts::Request> arriving, leaving;
};

// Returns the first element and the length of segment `segment` of block `block`. `block` is taken modulo the
// number of ranks and may be negative.
Share segment_of(const Call& call, int block, int segment) {
  const int size = call.parts.ranks->size;
  const Share whole = share_of(call.problem.extents.x, size, (block % size + size) % size),
              part = share_of(whole.count, call.tuned<Shape>().segments, segment);
  return {whole.first + part.first, part.count};
}

template <typename T>
class Walk {
 public:
  explicit Walk(const Call& call)
      : call_(call),
        ring_(*static_cast<Ring*>(call.state)),
        rank_(call.parts.ranks->rank),
        size_(call.parts.ranks->size),
        segments_(call.tuned<Shape>().segments),
        a_(ring_.from->template data<const T>()),
        c_(ring_.to->template data<T>()) {}

  void run() {
    if (size_ == 1) return copy(a_, c_, call_.problem.extents.x);
    for (int segment = 0; segment < segments_; ++segment)
      send(0, a_, segment_of(call_, rank_, segment), segment);
    for (int step = 1; step <= last(); ++step) take(step);
  }

 private:
  int last() const { return 2 * (size_ - 1); }

  parts::Request* leaving(int step) { return &ring_.leaving[static_cast<std::size_t>(step % 2 * segments_)]; }

  // Sends a segment to the right neighbour, which receives it in step `step + 1`.
  void send(int step, const T* from, const Share& part, int segment) {
    call_.parts.ranks->isend(from + part.first, part.count * static_cast<std::int64_t>(sizeof(T)),
                             (rank_ + 1) % size_, &leaving(step)[segment]);
  }

  // Receives a block from the left neighbour and forwards it to the right one. In the first half of the steps
  // the block is a partial sum, to which this rank adds its values. In the second half it is complete.
  void take(int step) {
    const bool adds = step < size_;
    const int block = rank_ - step;
    T* const into = adds ? reinterpret_cast<T*>(ring_.between.get()) : c_;
    for (int segment = 0; segment < segments_; ++segment) {
      const Share part = segment_of(call_, block, segment);
      call_.parts.ranks->irecv(into + part.first, part.count * static_cast<std::int64_t>(sizeof(T)),
                               (rank_ + size_ - 1) % size_,
                               &ring_.arriving[static_cast<std::size_t>(segment)]);
    }
    for (int segment = 0; segment < segments_; ++segment) {
      const Share part = segment_of(call_, block, segment);
      call_.parts.ranks->waitall(1, &ring_.arriving[static_cast<std::size_t>(segment)]);
      if (adds) add(a_ + part.first, into + part.first, c_ + part.first, part.count);
      if (step < last()) send(step, c_, part, segment);
    }
    // Wait for the previous step's sends before their buffer is overwritten.
    call_.parts.ranks->waitall(segments_, leaving(step - 1));
  }

  const Call& call_;
  Ring& ring_;
  int rank_, size_, segments_;
  const T* a_;
  T* c_;
};

template <typename T>
void launch(const Call& call) {
  Walk<T>(call).run();
}

const char* prepare(const Call& call, void** state) {
  auto ring = std::make_unique<Ring>();
  if (const char* reason = make_vectors(call, call.problem.extents.x, true, ring.get())) return reason;
  const auto segments = static_cast<std::size_t>(call.tuned<Shape>().segments);
  ring->arriving.resize(segments);
  ring->leaving.resize(2 * segments);
  *state = ring.release();
  return nullptr;
}

std::int64_t workspace(const Problem& problem, const Shape&) { return bytes_of_parts(problem, 3); }

Variant form() {
  Variant variant;
  variant.description =
      "ring: blocks travel around the ranks once to be summed, once to be distributed; threads add them";
  complete_vectors<Ring>(variant);
  variant.tunables = tunables<Shape>({{"segments", &Shape::segments, {1, 2, 4, 8}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  return variant;
}

}  // namespace ring

}  // namespace

std::vector<Variant> all_reduce_openmp() {
  return {
      named("doubling", doubling::form()),
      named("ring", ring::form()),
  };
}

}  // namespace sextant
