#include "resident.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

struct ResidentState {
  CudaState links;  // only to free what is made with them
  void* mail = nullptr;
  std::size_t mail_bytes = 0;
  WaitFlag waits;
};

void release(void* state) {
  auto* const resident = static_cast<ResidentState*>(state);
  cudaFree(resident->mail);
  release_map(resident->links.map);
  delete resident;
}

template <typename T, typename Function>
void with_kernel(const Boxes& boxes, Function&& function) {
  Choices<1, 2>::with(nodes_per_thread(boxes), [&]<int per_thread>() { function(run<per_thread, T>); });
}

dim3 dimensions(const Extents& e) {
  return dim3(static_cast<unsigned>(e.x), static_cast<unsigned>(e.y), static_cast<unsigned>(e.z));
}

int threads_for(const Boxes& boxes) {
  return static_cast<int>(std::min<std::int64_t>(box_threads, (boxes.sides.count() + 31) / 32 * 32));
}

// Why the blocks cannot all run at once on the current device, or null.
template <typename T>
const char* refuse_device(const Boxes& boxes, std::size_t bytes) {
  int per_processor = 0;
  if (!device_attribute(cudaDevAttrCooperativeLaunch, 0)) return "the GPU has no cooperative launches";
  cudaError_t error = cudaSuccess;
  with_kernel<T>(boxes, [&](auto* kernel) {
    error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error == cudaSuccess)
      error =
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, threads_for(boxes), bytes);
  });
  if (error == cudaSuccess &&
      static_cast<std::int64_t>(per_processor) * multiprocessors() >= boxes.count.count())
    return nullptr;
  cudaGetLastError();  // or the next call would report it
  return "the GPU cannot hold all boxes at once: it has too few multiprocessors or too little shared memory";
}

template <typename T>
const char* fill(const Call& call, ResidentState* state) {
  const Boxes boxes = cut(call.problem.extents, call.tuned<BoxCounts>());
  const auto bytes = static_cast<std::size_t>(box_bytes(boxes, call.problem.type));
  const char* reason = refuse_device<T>(boxes, bytes);
  if (!reason) reason = allocate_cuda<T>(call, false, &state->links);
  if (reason) return reason;
  state->mail_bytes = bytes * static_cast<std::size_t>(boxes.count.count());
  cudaError_t error = cudaMalloc(&state->mail, state->mail_bytes);
  if (error == cudaSuccess) error = state->waits.make();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

template <typename T>
const char* prepare(const Call& call, void** state) {
  auto* const resident = new ResidentState;
  const char* reason = fill<T>(call, resident);
  if (reason)
    release(resident);
  else
    *state = resident;
  return reason;
}

template <typename T>
void launch(const Call& call) {
  const auto* const state = static_cast<const ResidentState*>(call.state);
  const Boxes boxes = cut(call.problem.extents, call.tuned<BoxCounts>());
  const Extents &s = boxes.sides, &c = boxes.count;
  const auto narrow = [](std::int64_t n) { return static_cast<int>(n); };
  Resident<T> r = {state->links.map.links,
                   static_cast<Word<T>*>(state->mail),
                   call.array<T>(0),
                   call.problem.extents,
                   {narrow(s.x), narrow(s.y), narrow(s.z)},
                   {narrow(c.x), narrow(c.y), narrow(c.z)},
                   steps_of(call.problem),
                   rates_of<T>(call.problem),
                   state->waits.patience()};
  cudaMemsetAsync(state->mail, 0, state->mail_bytes, stream_of(call));
  void* arguments[] = {&r};
  with_kernel<T>(boxes, [&](auto* kernel) {
    cudaLaunchCooperativeKernel(kernel, dimensions(boxes.count), dim3(threads_for(boxes)), arguments,
                                static_cast<std::size_t>(box_bytes(boxes, call.problem.type)),
                                stream_of(call));
  });
}

const char* constraint(const Problem& problem, const BoxCounts& counts) {
  if (counts.boxes_x * counts.boxes_y * counts.boxes_z > multiprocessors())
    return "more boxes than the GPU has multiprocessors";
  return fits(cut(problem.extents, counts)) ? nullptr : "a box has more than 1024 nodes";
}

void adapt(const Problem& problem, BoxCounts& counts) {
  counts = cheapest_boxes(problem.extents, multiprocessors());
}

std::int64_t workspace(const Problem& problem, const BoxCounts& counts) {
  const Boxes boxes = cut(problem.extents, counts);
  return boxes.count.count() * box_bytes(boxes, problem.type) +
         problem.extents.count() * static_cast<std::int64_t>(sizeof(Links));
}

}  // namespace

Variant lbm_d3q15_cuda_resident() {
  Variant variant;
  variant.description =
      "the lattice stays in shared memory, a box a multiprocessor; boxes exchange densities";
  variant.home = Home::cuda;
  variant.tunables = tunables<BoxCounts>({{"boxes_x", &BoxCounts::boxes_x, box_counts},
                                          {"boxes_y", &BoxCounts::boxes_y, box_counts},
                                          {"boxes_z", &BoxCounts::boxes_z, box_counts}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare_either<prepare<float>, prepare<double>>;
  variant.release = release;
  return variant;
}

}  // namespace sextant
