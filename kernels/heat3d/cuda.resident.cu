#include "resident.cuh"

namespace sextant {
namespace {

// A single cooperative launch computes all steps of a box that fits in the multiprocessors' shared memory.
// resident.cuh contains the kernel.
namespace resident {

using Rows = Choices<1, 2>;

struct Column {
  int rows = 2;  // consecutive rows, one vector each, that a thread computes
};

template <typename R>
std::size_t shared_bytes(const Problem& problem) {
  // The limit of 2^20 planes only avoids overflow; far fewer fit in shared memory.
  const int z = static_cast<int>(std::min<std::int64_t>(problem.extents.z, 1 << 20));
  return static_cast<std::size_t>(R::slots_of(R::planes_of(z), z)) * R::plane * element_size(problem.type);
}

// Calls action.operator()<radius, length, rows>() for the problem and the tuning. `length` is the number of
// elements per vector: 16 bytes if every row starts aligned for them, otherwise one element.
template <typename Action>
void with_kernel(const Problem& problem, const Column& column, Action action) {
  const int longest = 16 / static_cast<int>(element_size(problem.type));
  heat3d::Radii::with(heat3d::radius_of(problem), [&]<int radius>() {
    if (problem.extents.x % longest != 0)
      action.template operator()<radius, 1, 2>();
    else
      Rows::with(column.rows, [&]<int rows>() {
        Choices<2, 4>::with(longest,
                            [&]<int length>() { action.template operator()<radius, length, rows>(); });
      });
  });
}

// Returns the bytes of the exchange buffer; 0 for a single step.
std::int64_t mail_bytes(const Problem& problem, const Column& column) {
  std::int64_t bytes = 0;
  if (heat3d::steps_of(problem) > 1)
    with_kernel(problem, column, [&]<int radius, int length, int rows>() {
      using R = heat3d::Resident<radius, length, rows>;
      const Extents& box = problem.extents;
      bytes = std::int64_t{2} * blocks_for(box.x, R::width) * blocks_for(box.y, R::height) * R::groups *
              R::planes_of(static_cast<int>(box.z)) * R::face *
              static_cast<std::int64_t>(element_size(problem.type));
    });
  return bytes;
}

// Global memory for the exchange of tile faces between blocks, and a flag. A block sets the flag if it waited
// too long. A single step needs neither.
struct Post {
  void* mail = nullptr;
  WaitFlag waits;
};

void release(void* state) {
  auto* const post = static_cast<Post*>(state);
  if (post) cudaFree(post->mail);
  delete post;
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bytes = mail_bytes(call.problem, call.tuned<Column>());
  if (bytes == 0) return nullptr;
  auto* const post = new Post;
  *state = post;
  if (cudaMalloc(&post->mail, static_cast<std::size_t>(bytes)) == cudaSuccess &&
      post->waits.make() == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // Clears the error, which the next launch would report otherwise.
  release(post);
  *state = nullptr;
  return "no device memory for the blocks' exchange buffers";
}

const char* constraint(const Problem& problem, const Column& column) {
  const char* reason = heat3d::refuse_by_point(problem);
  with_kernel(problem, column, [&]<int radius, int length, int rows>() {
    using R = heat3d::Resident<radius, length, rows>;
    const std::int64_t tiles =
        std::int64_t{blocks_for(problem.extents.x, R::width)} * blocks_for(problem.extents.y, R::height);
    if (shared_bytes<R>(problem) + heat3d::static_shared_bytes > heat3d::most_shared_memory ||
        tiles > sextant::multiprocessors())
      reason = "the box does not fit in the shared memory of all multiprocessors";
  });
  return reason;
}

template <int radius, int length, int rows, typename T>
void launch_tiles(const Call& call) {
  using R = heat3d::Resident<radius, length, rows>;
  const Extents& box = call.problem.extents;
  const auto kernel = heat3d::resident<radius, length, rows, T>;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks_for(box.x, R::width), blocks_for(box.y, R::height));
  config.blockDim = dim3(R::threads);
  config.dynamicSmemBytes = shared_bytes<R>(call.problem);
  config.stream = stream_of(call);
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  config.attrs = &together;
  config.numAttrs = 1;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(config.dynamicSmemBytes));
  const auto* const post = static_cast<const Post*>(call.state);
  if (post)
    cudaMemsetAsync(post->mail, 0, static_cast<std::size_t>(mail_bytes(call.problem, call.tuned<Column>())),
                    config.stream);
  cudaLaunchKernelEx(&config, kernel, heat3d::Box(box), R::planes_of(static_cast<int>(box.z)),
                     static_cast<int>(heat3d::steps_of(call.problem)), call.array<const T>(0),
                     call.array<T>(1), static_cast<Word<T>*>(post ? post->mail : nullptr),
                     post ? post->waits.poll_limit() : PollLimit{});
}

template <typename T>
void launch(const Call& call) {
  with_kernel(call.problem, call.tuned<Column>(), [&]<int radius, int length, int rows>() {
    if constexpr (length == 1 || length == vector_length<T>) launch_tiles<radius, length, rows, T>(call);
  });
}

// Sets the number of rows per thread that was faster on an H200.
void adapt(const Problem& problem, Column& column) {
  column.rows = heat3d::radius_of(problem) == 1 && problem.type == ElementType::float32 ? 1 : 2;
}

Variant form() {
  Variant variant = heat3d::device_variant(
      "for small boxes: all steps in shared memory; exchanged faces carry step numbers");
  variant.tunables = tunables<Column>({{"rows", &Column::rows, Rows::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.workspace = by_name<mail_bytes>;
  variant.prepare = prepare;
  variant.release = release;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace resident

}  // namespace

std::vector<Variant> heat3d_cuda_resident() { return {named("resident", resident::form())}; }

}  // namespace sextant
