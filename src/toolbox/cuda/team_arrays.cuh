// Element-wise kernels on arrays that are partitioned over several GPUs, without communication. Each
// partition's work is recorded as a CUDA graph, which a host thread launches. A Form defines the kernel:
//
//     struct Form {
//       static constexpr int arrays = 3;  // number of the kernel's arrays; the last one is the result
//       template <typename T>
//       static void launch(const Call& call, std::int64_t n, T* const* arrays, cudaStream_t stream);
//     };
#pragma once

#include <array>
#include <memory>
#include <type_traits>

#include "toolbox/cuda/part_threads.cuh"
#include "toolbox/parts_of_vector.hpp"
#include "toolbox/team_slab.hpp"

namespace sextant::peers {

template <int count>
struct TeamArrays {
  explicit TeamArrays(const parts::Team& team) : threads(team) {}
  PartThreads threads;
  std::array<std::unique_ptr<TeamSlab>, count> arrays;
};

template <typename Form, typename T>
const char* record_parts(const Call& call, TeamArrays<Form::arrays>& team) {
  return team.threads.record([&](int part, cudaStream_t stream) {
    T* of_part[Form::arrays];
    for (std::size_t i = 0; i < Form::arrays; ++i) of_part[i] = team.arrays[i]->template data<T>(part);
    Form::template launch<T>(call, team.arrays[0]->own(part).count, of_part, stream);
  });
}

template <typename T>
inline constexpr ElementType element_type_of = std::is_same_v<T, float>    ? ElementType::float32
                                               : std::is_same_v<T, double> ? ElementType::float64
                                                                           : ElementType::int32;

template <typename Form, typename... Types>
const char* prepare_parts(const Call& call, void** state) {
  auto made = std::make_unique<TeamArrays<Form::arrays>>(parts::team_of(call));
  const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
  for (std::unique_ptr<TeamSlab>& array : made->arrays) {
    array = std::make_unique<TeamSlab>(parts::team_of(call), call.problem.extents.x, element);
    if (!array->is_there()) return "no device memory for a partition's arrays";
  }
  const char* problem = nullptr;
  ((call.problem.type == element_type_of<Types> ? void(problem = record_parts<Form, Types>(call, *made))
                                                : void()),
   ...);
  if (problem) return problem;
  *state = made.release();
  return nullptr;
}

// Fills in all fields of a variant except description and tuning. `Types`: the supported element types.
template <typename Form, typename... Types>
void complete_team_arrays(Variant& variant) {
  using State = TeamArrays<Form::arrays>;
  variant.memory_space = MemorySpace::partitioned;
  variant.launch = {};
  for (const ElementType type : {element_type_of<Types>...})
    (type == ElementType::float32   ? variant.launch.float32
     : type == ElementType::float64 ? variant.launch.float64
                                    : variant.launch.int32) = [](const Call& call) {
      static_cast<State*>(call.state)->threads.launch();
    };
  variant.constraint = [](const Problem& problem, const int*) { return refuse_few_elements(problem); };
  variant.workspace = [](const Problem& problem, const int*) {
    return bytes_of_longest_part(problem, Form::arrays);
  };
  variant.prepare = prepare_parts<Form, Types...>;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.parts.scatter = [](const Call& call) {
    const auto& arrays = static_cast<const State*>(call.state)->arrays;
    for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i]->scatter(call.address(i));
  };
  variant.parts.gather = [](const Call& call) {
    static_cast<const State*>(call.state)->arrays.back()->gather(call.address(Form::arrays - 1));
  };
}

}  // namespace sextant::peers
