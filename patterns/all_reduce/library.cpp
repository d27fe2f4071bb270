#include "ranks.hpp"

namespace sextant {
namespace {

using namespace all_reduce;

void launch(const Call& call) {
  const auto& vectors = *static_cast<const RankVectors*>(call.state);
  call.parts.ranks->allreduce(vectors.from->data<const double>(), vectors.to->data<double>(),
                              call.problem.extents.x, parts::Combine::sum);
}

}  // namespace

std::vector<Variant> all_reduce_library() {
  Variant variant;
  variant.name = "mpi";
  variant.description = "MPI_Allreduce; the MPI library chooses the algorithm";
  complete_vectors<RankVectors>(variant);
  variant.launch = {.float64 = launch};
  variant.workspace = [](const Problem& problem, const int*) { return bytes_of_parts(problem, 2); };
  variant.prepare = [](const Call& call, void** state) {
    return prepare_vectors(call, call.problem.extents.x, false, state);
  };
  return {variant};
}

}  // namespace sextant
