// What the parts of a team have of u and v in slabs of whole planes, and of w, with which several steps alternate.
#pragma once

#include <memory>

#include "toolbox/team_slab.hpp"

namespace sextant::heat3d {

struct TeamFields {
  std::unique_ptr<TeamSlab> u, v, w;

  // Of `planes` planes of `plane_bytes` bytes, `halo` planes of each neighbour beside a part's own; w if there are `several`
  // steps. False: there is no memory.
  bool allocate(const parts::Team& team, std::int64_t planes, std::int64_t plane_bytes, std::int64_t halo,
                bool several) {
    for (std::unique_ptr<TeamSlab>* slab : {&u, &v, &w}) {
      if (slab == &w && !several) continue;
      *slab = std::make_unique<TeamSlab>(team, planes, plane_bytes, halo);
      if (!(*slab)->is_there()) return false;
    }
    return true;
  }
};

// Of a variant whose state is a Heat, which is a TeamFields.
template <typename Heat>
void scatter_fields(const Call& call) {
  const auto& fields = *static_cast<const Heat*>(call.state);
  fields.u->scatter(call.address(0));
  fields.v->scatter(call.address(1));
}
template <typename Heat>
void gather_fields(const Call& call) {
  static_cast<const Heat*>(call.state)->v->gather(call.address(1));
}

}  // namespace sextant::heat3d
