// Tests how kernels on several GPUs wait for each other (toolbox/cuda/peers.cuh), in particular if one GPU's
// kernel never runs.
#include <gtest/gtest.h>

#include "device/team.hpp"
#include "toolbox/cuda/edges.cuh"
#include "toolbox/cuda/peers.cuh"

namespace sextant {
namespace {

// Stores the part's number in all other parts' memory, between a common begin and end. Then copies the
// received numbers to `seen`.
__global__ void tell_all(peers::Of<int> notes, int* seen, peers::Meeting meeting) {
  peers::begin_together(meeting);
  const int other = static_cast<int>(threadIdx.x);
  if (blockIdx.x == 0 && other < meeting.parts)
    notes[other][meeting.part] = 100 * meeting.round + meeting.part;
  peers::end_together(meeting);
  if (other < meeting.parts) seen[other] = notes[meeting.part][other];
}

__global__ void post_packet(peers::Packet* to, unsigned round) {
  peers::post(to, {7 + round, 9 + round}, round);
}

__global__ void read_packet(const peers::Packet* from, unsigned round, PollLimit poll_limit, uint2* got) {
  *got = peers::wait_for(from, round, poll_limit);
}

// Each block updates one cell; cells 1 … gridDim.x belong to this part, and their outer neighbours are halo
// cells. `lower` and `higher` point to the neighbours' halo cells; null means no neighbour.
__global__ void add_neighbours(const unsigned* from, unsigned* to, unsigned* lower, unsigned* higher,
                               peers::Edges edges) {
  const unsigned cell = blockIdx.x + 1;
  const bool low = cell == 1, high = cell == gridDim.x;
  peers::begin_at_edges(edges, low, high);
  if (threadIdx.x == 0) {
    const unsigned sum = from[cell - 1] + 3 * from[cell + 1];
    to[cell] = sum;
    if (low && lower) *lower = sum;
    if (high && higher) *higher = sum;
  }
  peers::end_at_edges(edges, low, high);
}

class Peers : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    std::string why_not;
    team_ = open_team(0, 1, GetParam(), &why_not);
    if (!team_) GTEST_SKIP() << why_not;
  }
  const parts::Team& team() const { return team_->team(); }
  std::unique_ptr<DeviceTeam> team_;
};

TEST_P(Peers, MeetRoundAfterRound) {
  peers::Meetings meetings(team());
  ASSERT_EQ(meetings.make(team()), nullptr);
  peers::PartMemory notes(team()), seen(team());
  ASSERT_TRUE(notes.allocate(64) && seen.allocate(64));
  peers::load_everywhere(team(), tell_all);
  for (int round = 1; round <= 50; ++round) {
    meetings.next_round();
    peers::for_parts(team(), [&](int part, cudaStream_t stream) {
      tell_all<<<1, 64, 0, stream>>>(notes.of<int>(), seen.of<int>()[part], meetings.of(part));
    });
    team_->synchronise();
    for (int part = 0; part < team().parts; ++part) {
      int numbers[16];
      team().memory->read(team(), part, numbers, seen.of<int>()[part], sizeof numbers);
      for (int other = 0; other < team().parts; ++other)
        EXPECT_EQ(numbers[other], 100 * round + other) << "part " << part << " of " << other;
    }
  }
  EXPECT_EQ(Watched::first_failure(), nullptr);
}

// The kernel of one part is not launched. The other kernels must end and report failure.
TEST_P(Peers, GiveUpWhereSomebodyDoesNotCome) {
  peers::Meetings meetings(team());
  ASSERT_EQ(meetings.make(team()), nullptr);
  peers::PartMemory notes(team()), seen(team());
  ASSERT_TRUE(notes.allocate(64) && seen.allocate(64));
  meetings.next_round();
  peers::for_parts(team(), [&](int part, cudaStream_t stream) {
    peers::Meeting meeting = meetings.of(part);
    meeting.poll_limit.peeks = 1000;
    if (part > 0) tell_all<<<1, 64, 0, stream>>>(notes.of<int>(), seen.of<int>()[part], meeting);
  });
  team_->synchronise();
  ASSERT_NE(Watched::first_failure(), nullptr);
  EXPECT_STREQ(Watched::first_failure(), gave_up_waiting);
}

TEST_P(Peers, LettersAreOfTheirRound) {
  peers::PartMemory mail(team());
  ASSERT_TRUE(mail.allocate(sizeof(peers::Packet) + sizeof(uint2)));
  WaitFlag gave_up;
  ASSERT_EQ(gave_up.make(), cudaSuccess);
  peers::load_everywhere(team(), post_packet);
  peers::load_everywhere(team(), read_packet);
  peers::Packet* packet = mail.of<peers::Packet>()[0];
  auto* got = reinterpret_cast<uint2*>(packet + 1);
  const cudaStream_t reads = peers::stream_of_part(team(), 1), writes = peers::stream_of_part(team(), 0);
  PollLimit poll_limit = gave_up.poll_limit();
  for (unsigned round = 1; round < 4; ++round) {
    read_packet<<<1, 1, 0, reads>>>(packet, round, poll_limit, got);
    post_packet<<<1, 1, 0, writes>>>(packet, round);
    team_->synchronise();
    uint2 halves;
    team().memory->read(team(), 0, &halves, got, sizeof halves);
    EXPECT_EQ(halves.x, 7 + round);
    EXPECT_EQ(halves.y, 9 + round);
  }
  EXPECT_EQ(gave_up.failure(), nullptr);
  poll_limit.peeks = 1000;
  read_packet<<<1, 1, 0, reads>>>(packet, 9, poll_limit, got);
  team_->synchronise();
  EXPECT_NE(gave_up.failure(), nullptr) << "a packet of another round was taken";
}

// Sweeps over a ring of parts. Only the waits of the blocks at the edges keep the sweeps in order.
class Ring {
 public:
  static constexpr unsigned cells = 3;  // cells per part
  explicit Ring(const parts::Team& team)
      : team_(team), sides_(team, /*around=*/true), meetings_(team), even_(team), odd_(team) {}

  bool make() {
    peers::load_everywhere(team_, add_neighbours);
    return sides_.make() && !meetings_.make(team_) && even_.allocate(64) && odd_.allocate(64);
  }
  // Copies the ring to the parts. Part p gets the cells from p * cells on and one neighbour on each side.
  void write(const std::vector<unsigned>& ring) {
    for (int part = 0; part < team_.parts; ++part) {
      unsigned own[cells + 2];
      for (unsigned i = 0; i < cells + 2; ++i)
        own[i] = ring[(static_cast<unsigned>(part) * cells + i + ring.size() - 1) % ring.size()];
      team_.memory->write(team_, part, even_.of<unsigned>()[part], own, sizeof own);
    }
  }
  void sweep(int first_part, int peeks) {
    peers::for_parts(team_, [&](int part, cudaStream_t stream) {
      if (part < first_part) return;
      const auto from = now().of<unsigned>(), to = (turned_ ? even_ : odd_).of<unsigned>();
      PollLimit poll_limit = meetings_.poll_limit(part);
      poll_limit.peeks = peeks;
      const peers::Edges edges = {sides_.edge(part, 0, true, true, 1, poll_limit),
                                  sides_.edge(part, 1, true, true, 1, poll_limit)};
      add_neighbours<<<cells, 32, 0, stream>>>(from[part], to[part],
                                               to[(part + team_.parts - 1) % team_.parts] + cells + 1,
                                               to[(part + 1) % team_.parts], edges);
    });
    turned_ = !turned_;
  }
  std::vector<unsigned> read() {
    std::vector<unsigned> ring(static_cast<std::size_t>(team_.parts) * cells);
    for (int part = 0; part < team_.parts; ++part)
      team_.memory->read(team_, part, &ring[static_cast<std::size_t>(part) * cells],
                         now().of<unsigned>()[part] + 1, cells * sizeof(unsigned));
    return ring;
  }

 private:
  const parts::Team& team_;
  peers::Sides sides_;
  peers::Meetings meetings_;
  peers::PartMemory even_, odd_;
  bool turned_ = false;  // true if the numbers are in `odd_`

  const peers::PartMemory& now() const { return turned_ ? odd_ : even_; }
};

TEST_P(Peers, EdgesKeepSweepsInOrder) {
  Ring ring(team());
  ASSERT_TRUE(ring.make());
  std::vector<unsigned> right(static_cast<std::size_t>(team().parts) * Ring::cells);
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = 7919 * static_cast<unsigned>(i) + 1;
  ring.write(right);
  for (int step = 0; step < 200; ++step) {
    ring.sweep(0, most_peeks);
    std::vector<unsigned> next = right;
    for (std::size_t i = 0; i < right.size(); ++i)
      next[i] = right[(i + right.size() - 1) % right.size()] + 3 * right[(i + 1) % right.size()];
    right = next;
  }
  team_->synchronise();
  EXPECT_EQ(ring.read(), right);
  EXPECT_EQ(Watched::first_failure(), nullptr);
}

TEST_P(Peers, EdgesGiveUpWhereTheNeighbourDoesNotSweep) {
  Ring ring(team());
  ASSERT_TRUE(ring.make());
  ring.sweep(0, most_peeks);
  ring.sweep(1, 1000);  // waits for the sweep before it, which ran
  team_->synchronise();
  EXPECT_EQ(Watched::first_failure(), nullptr);
  ring.sweep(1, 1000);
  team_->synchronise();
  ASSERT_NE(Watched::first_failure(), nullptr);
  EXPECT_STREQ(Watched::first_failure(), gave_up_waiting);
}

INSTANTIATE_TEST_SUITE_P(On, Peers, testing::Values(2, 4));

}  // namespace
}  // namespace sextant
