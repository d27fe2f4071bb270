#include "ranks.hpp"

namespace sextant {
namespace {

using namespace all_to_all;

void launch(const Call& call) {
  const auto& vectors = *static_cast<const RankVectors*>(call.state);
  call.parts.ranks->alltoall(vectors.from->data<const char>(), vectors.to->data<char>(),
                             piece_bytes(call.problem));
}

}  // namespace

std::vector<Variant> all_to_all_library() {
  Variant variant;
  variant.name = "mpi";
  variant.description = "MPI_Alltoall; the MPI library chooses the algorithm";
  complete_variant(variant);
  variant.launch = {.float32 = launch, .float64 = launch};
  return {variant};
}

}  // namespace sextant
