// Tests where cuda.resident keeps the planes of a box in shared memory. A group of warps must find its planes
// where they were stored. Planes outside the box must map to slots that nothing writes. The tests need no
// GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#if !defined(__CUDACC__)
  #define __host__
  #define __device__
  #define __forceinline__ inline
#endif
namespace sextant::heat3d {
using std::max, std::min;  // always declared in CUDA files
}
#include "../../kernels/heat3d/resident_layout.cuh"

namespace sextant {
namespace {

using namespace heat3d;

// Returns the slot from which a group reads plane `i`, which ranges from -radius to planes + radius - 1.
template <typename G>
int slot_taken(const G& group, int i) {
  return i < 0              ? group.before - 1 - i
         : i < group.planes ? group.slot + i
                            : group.after + 2 * group.planes - 1 - i;
}

template <int radius, int length, int rows>
void check_layout(int z) {
  using R = Resident<radius, length, rows>;
  const int planes = R::planes_of(z), slots = R::slots_of(planes, z);
  SCOPED_TRACE(testing::Message() << "radius " << radius << ", vectors of " << length << ", " << z
                                  << " planes, " << planes << " a group");
  std::map<int, int> slot_of;  // slot of each plane in shared memory
  std::set<int> filled, computed, written;
  const auto put = [&](int plane, int slot) {
    if (plane < 0 || plane >= z) return;
    EXPECT_TRUE(slot >= 0 && slot < slots) << "plane " << plane << " lies in slot " << slot;
    EXPECT_TRUE(slot_of.emplace(plane, slot).second) << "plane " << plane << " lies in two slots";
    EXPECT_TRUE(filled.insert(slot).second) << "two planes lie in slot " << slot;
  };
  for (int number = 0; number < R::groups; ++number) {
    const Group<radius, R> group(number, planes, z);
    for (int i = 0; i < planes; ++i) {
      put(group.plane(i), group.slot + i);
      if (!group.computes(i)) continue;
      EXPECT_TRUE(computed.insert(group.plane(i)).second) << "plane " << group.plane(i) << " twice";
      written.insert(group.slot + i);
    }
    if (!group.meets)
      for (int i = 0; i < radius; ++i) put(group.plane(-1 - i), group.before + i);
  }
  std::set<int> between_rims;
  for (int plane = radius; plane < z - radius; ++plane) between_rims.insert(plane);
  EXPECT_EQ(computed, between_rims);

  for (int number = 0; number < R::groups; ++number) {
    const Group<radius, R> group(number, planes, z);
    for (int i = -radius; i < planes + radius; ++i) {
      const int plane = group.plane(i), slot = slot_taken(group, i);
      EXPECT_TRUE(slot >= 0 && slot < slots) << "group " << number << " takes slot " << slot;
      if (plane >= 0 && plane < z)
        EXPECT_EQ(slot, slot_of[plane]) << "group " << number << ", plane " << plane;
      else
        EXPECT_EQ(written.count(slot), 0u) << "group " << number << " reads slot " << slot << " in vain";
    }
  }
}

// Checks a slab of `own` planes with `radius` halo planes at each end. `low` and `high` are true if that end
// has a neighbour. Each plane must be computed once, and no two planes may share a slot.
template <int radius, int length, int rows>
bool check_slab(int own, bool low, bool high) {
  using R = Resident<radius, length, rows>;
  const int z = own + 2 * radius, planes = R::planes_of(z);
  if (R::groups * planes != own) return false;
  SCOPED_TRACE(testing::Message() << "radius " << radius << ", vectors of " << length << ", " << own
                                  << " planes, neighbours " << low << high);
  std::set<int> computed, filled;
  for (int number = 0; number < R::groups; ++number) {
    const bool in_rim = (number == 0 && !low) || (number == R::groups - 1 && !high);
    const Group<radius, R> group(number, planes, z, in_rim ? radius : 0);
    for (int i = 0; i < planes; ++i) {
      EXPECT_TRUE(filled.insert(group.slot + i).second) << "two planes lie in slot " << group.slot + i;
      if (group.computes(i)) {
        EXPECT_TRUE(computed.insert(group.plane(i)).second) << "two compute plane " << group.plane(i);
      }
    }
    for (int i = 0; i < radius && !group.meets; ++i)
      EXPECT_TRUE(filled.insert(group.before + i).second) << "two planes lie in slot " << group.before + i;
  }
  EXPECT_LT(*filled.rbegin(), R::slots_of(planes, z));
  EXPECT_GE(*filled.begin(), 0);
  std::set<int> right;
  for (int plane = radius + (low ? 0 : radius); plane < z - radius - (high ? 0 : radius); ++plane)
    right.insert(plane);
  EXPECT_EQ(computed, right);
  return true;
}

template <int radius>
void check_slabs() {
  int checked = 0;
  for (int own = 1; own <= 128; ++own)
    for (const auto& [low, high] : {std::pair(false, false), {false, true}, {true, false}, {true, true}})
      checked += check_slab<radius, 4, 1>(own, low, high) + check_slab<radius, 4, 2>(own, low, high) +
                 check_slab<radius, 2, 2>(own, low, high);
  EXPECT_GT(checked, 100);
}

TEST(HeatLayout, SlabsComputeTheirOwnPlanesButTheRim) {
  check_slabs<1>();
  check_slabs<2>();
  check_slabs<3>();
  check_slabs<4>();
}

template <int radius>
void check_layouts() {
  for (int z = 1; z <= 100 && !testing::Test::HasFailure(); ++z) {
    check_layout<radius, 1, 2>(z);
    check_layout<radius, 2, 2>(z);
    check_layout<radius, 4, 1>(z);
    check_layout<radius, 4, 2>(z);
  }
}

TEST(HeatLayout, GroupsTakePlanesWhereTheyLieAndNothingThatOthersWrite) {
  check_layouts<1>();
  check_layouts<2>();
  check_layouts<3>();
  check_layouts<4>();
}

// A box needs at most two more slots in shared memory than it has planes.
TEST(HeatLayout, NeedsAtMostTwoPlanesMoreThanTheMeasuredBoxesHave) {
  for (const int z : {32, 64}) {
    EXPECT_LE((Resident<1, 4, 1>::slots_of(Resident<1, 4, 1>::planes_of(z), z)), z + 2);
    EXPECT_LE((Resident<4, 4, 2>::slots_of(Resident<4, 4, 2>::planes_of(z), z)), z + 2);
  }
}

}  // namespace
}  // namespace sextant
