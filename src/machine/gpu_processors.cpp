#include "machine/gpu_processors.hpp"

#include <hwloc.h>
#include <sched.h>

#include "machine/places.hpp"

namespace sextant {
namespace {

// Loads hwloc's topology of this machine, with PCI devices if `with_its_buses`. It leaves out hwloc's OS
// devices, because finding them would initialize a GPU driver in this process.
hwloc_topology_t machine(bool with_its_buses) {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return nullptr;
  if (with_its_buses) {
    for (const hwloc_obj_type_t type : {HWLOC_OBJ_BRIDGE, HWLOC_OBJ_PCI_DEVICE})
      hwloc_topology_set_type_filter(topology, type, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_type_filter(topology, HWLOC_OBJ_OS_DEVICE, HWLOC_TYPE_FILTER_KEEP_NONE);
  }
  if (hwloc_topology_load(topology) == 0) return topology;
  hwloc_topology_destroy(topology);
  return nullptr;
}

hwloc_const_cpuset_t set_near(hwloc_topology_t topology, const std::string& bus_id) {
  const hwloc_obj_t device =
      bus_id.empty() ? nullptr : hwloc_get_pcidev_by_busidstring(topology, bus_id.c_str());
  const hwloc_obj_t around = device ? hwloc_get_non_io_ancestor_obj(topology, device) : nullptr;
  return around && around->cpuset ? around->cpuset : hwloc_topology_get_topology_cpuset(topology);
}

}  // namespace

std::vector<Core> cores_near(const std::string& bus_id) {
  std::vector<Core> cores;
  const AllPlaces all_places;
  cpu_set_t allowed;
  const hwloc_topology_t topology = machine(!bus_id.empty());
  if (!topology) return cores;
  const hwloc_const_cpuset_t set = set_near(topology, bus_id);
  const bool known = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core));) {
    Core processors;
    for (int i = hwloc_bitmap_first(core->cpuset); i >= 0; i = hwloc_bitmap_next(core->cpuset, i))
      if (hwloc_bitmap_isset(set, static_cast<unsigned>(i)) &&
          (!known || CPU_ISSET(static_cast<std::size_t>(i), &allowed)))
        processors.push_back(i);
    if (!processors.empty()) cores.push_back(processors);
  }
  hwloc_topology_destroy(topology);
  return cores;
}

std::vector<std::vector<Core>> shared_out(const std::vector<std::vector<Core>>& near) {
  std::vector<std::vector<Core>> shares;
  for (std::size_t worker = 0; worker < near.size(); ++worker) {
    std::size_t alike = 0, before = 0;
    for (std::size_t other = 0; other < near.size(); ++other)
      if (near[other] == near[worker]) {
        ++alike;
        if (other < worker) ++before;
      }
    const std::size_t count = near[worker].size();
    if (count < alike) {
      shares.push_back(near[worker]);
      continue;
    }
    const auto at = [&](std::size_t i) {
      return near[worker].begin() + static_cast<std::ptrdiff_t>(i * count / alike);
    };
    shares.emplace_back(at(before), at(before + 1));
  }
  return shares;
}

std::vector<int> processors_of(const std::vector<Core>& cores) {
  std::vector<int> processors;
  for (const Core& core : cores) processors.insert(processors.end(), core.begin(), core.end());
  return processors;
}

}  // namespace sextant
