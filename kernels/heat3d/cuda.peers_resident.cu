// Variant cuda.peers_resident: the box is divided along z into slabs of whole planes, one per GPU. Each slab
// stays in its GPU's shared memory over all steps, as the box of `resident` does. Blocks exchange the faces
// of their tiles through their own GPU's global memory, and planes with the neighbouring GPU through that
// GPU's memory. Each exchanged value carries a tag that tells its step (resident_parts.cuh). A call is one
// kernel per GPU; the tags are the only synchronisation.
#include <memory>

#include "resident.cuh"
#include "slab_march.cuh"
#include "toolbox/cuda/part_graphs.cuh"
#include "toolbox/cuda/peers.cuh"

namespace sextant {
namespace {

constexpr const char* no_room = "a partition's planes do not fit in the shared memory of one GPU";

struct Heat : heat3d::TeamFields {
  explicit Heat(const parts::Team& its_team)
      : team(its_team), mail(its_team), planes_mail(its_team), rounds(its_team), meetings(its_team) {}
  const parts::Team& team;
  // Exchange buffers for the faces of tiles, and for the planes that neighbouring GPUs need.
  peers::PartMemory mail, planes_mail;
  peers::PartMemory rounds;  // per block, the number of exchanges ("rounds") in earlier calls
  peers::Meetings meetings;
  peers::PartGraphs graphs;
};

__device__ __forceinline__ unsigned rounds_before(unsigned* rounds, int steps) {
  __shared__ unsigned before;
  if (threadIdx.x == 0) {
    unsigned& of_block = rounds[blockIdx.y * gridDim.x + blockIdx.x];
    before = of_block;
    of_block = before + static_cast<unsigned>(steps);
  }
  __syncthreads();
  return before;
}

template <int radius, int length, int rows, typename T>
__global__ void __launch_bounds__(heat3d::Resident<radius, length, rows>::threads, 1)
    resident_slab(heat3d::Box box, int planes, int steps, const T* u, T* v, Word<T>* mail,
                  heat3d::SlabEnds<T> ends, unsigned* rounds, PollLimit poll_limit) {
  ends.base = rounds_before(rounds, steps);
  heat3d::stay_resident<radius, length, rows>(box, planes, steps, u, v, mail, ends, poll_limit);
}

// Returns the size of a slab plus R planes at either end. The additional planes belong to a neighbour. At the
// end of the box they are unused.
Extents box_of(const Problem& problem) {
  const Extents& e = problem.extents;
  return {e.x, e.y, e.z / problem.parts + 2 * heat3d::radius_of(problem)};
}

// Calls action.operator()<radius, length, rows>() with the problem's radius, the elements per vector and the
// rows per thread.
template <typename T, typename Action>
void with_kernel(const Problem& problem, Action action) {
  heat3d::Radii::with(heat3d::radius_of(problem), [&]<int radius>() {
    action.template operator()<radius, vector_length<T>, radius == 1 && sizeof(T) == 4 ? 1 : 2>();
  });
}
template <typename Action>
void with_kernel(const Problem& problem, Action action) {
  problem.type == ElementType::float32 ? with_kernel<float>(problem, action)
                                       : with_kernel<double>(problem, action);
}

template <typename R>
std::size_t shared_bytes(const Problem& problem) {
  // The limit of 2^20 planes only avoids overflow; far fewer fit in shared memory.
  const auto z = static_cast<int>(std::min<std::int64_t>(box_of(problem).z, 1 << 20));
  return static_cast<std::size_t>(R::slots_of(R::planes_of(z), z)) * R::plane * element_size(problem.type);
}
template <typename R>
dim3 tiles_of(const Problem& problem) {
  return dim3(blocks_for(problem.extents.x, R::width), blocks_for(problem.extents.y, R::height));
}

// Sizes in bytes of the exchange buffers and round counters on one GPU.
struct Mail {
  std::int64_t faces = 0, planes = 0, rounds = 0;
};
Mail mail_of(const Problem& problem) {
  Mail mail;
  with_kernel(problem, [&]<int radius, int length, int rows>() {
    using R = heat3d::Resident<radius, length, rows>;
    const dim3 tiles = tiles_of<R>(problem);
    const std::int64_t blocks = std::int64_t{tiles.x} * tiles.y,
                       element = static_cast<std::int64_t>(element_size(problem.type));
    mail.faces =
        2 * blocks * R::groups * R::planes_of(static_cast<int>(box_of(problem).z)) * R::face * element;
    mail.planes = 4 * heat3d::SlabEnd<radius, length, rows, float>::words(static_cast<int>(blocks)) * element;
    mail.rounds = blocks * static_cast<std::int64_t>(sizeof(unsigned));
  });
  return mail;
}

const char* refuse(const Problem& problem, const int*) {
  if (const char* reason = heat3d::refuse_by_point(problem)) return reason;
  const char* reason = nullptr;
  with_kernel(problem, [&]<int radius, int length, int rows>() {
    using R = heat3d::Resident<radius, length, rows>;
    const Extents box = box_of(problem);
    const std::int64_t own = box.z - 2 * radius;
    const dim3 tiles = tiles_of<R>(problem);
    if (own * problem.parts != problem.extents.z ||
        R::groups * R::planes_of(static_cast<int>(std::min<std::int64_t>(box.z, 1 << 20))) != own)
      reason =
          "a block's warps cannot share the planes evenly: choose a number of partitions that gives "
          "each a multiple of 8 planes";
    else if (problem.extents.x % length != 0)
      reason = "the bytes of a row must be a multiple of 16";
    else if (shared_bytes<R>(problem) + heat3d::static_shared_bytes > heat3d::most_shared_memory ||
             std::int64_t{tiles.x} * tiles.y > multiprocessors())
      reason = no_room;
  });
  return reason;
}

template <typename T>
void launch_all(const Call& call, const Heat& heat) {
  with_kernel<T>(call.problem, [&]<int radius, int length, int rows>() {
    using R = heat3d::Resident<radius, length, rows>;
    const heat3d::Box box(box_of(call.problem));
    // Offset in elements from the start of the array to the slab's own planes, which follow R planes of halo.
    const std::int64_t before = radius * box.plane;
    const peers::Of<Word<T>> mail = heat.planes_mail.of<Word<T>>();
    peers::for_parts(heat.team, [&](int part, cudaStream_t stream) {
      const heat3d::SlabEnds<T> ends = {mail[part], part > 0 ? mail[part - 1] : nullptr,
                                        part + 1 < heat.team.parts ? mail[part + 1] : nullptr, 0};
      resident_slab<radius, length, rows, T>
          <<<tiles_of<R>(call.problem), R::threads, shared_bytes<R>(call.problem), stream>>>(
              box, R::planes_of(box.z), static_cast<int>(heat3d::steps_of(call.problem)),
              heat.u->data<const T>(part) - before, heat.v->data<T>(part) - before,
              heat.mail.of<Word<T>>()[part], ends, heat.rounds.of<unsigned>()[part],
              heat.meetings.poll_limit(part));
    });
  });
}

template <typename T>
void launch(const Call& call) {
  const auto& heat = *static_cast<const Heat*>(call.state);
  if (heat.graphs.is_there())
    heat.graphs.launch(heat.team);
  else
    launch_all<T>(call, heat);
}

template <typename T>
void make_ready(const Call& call, Heat& heat) {
  with_kernel<T>(call.problem, [&]<int radius, int length, int rows>() {
    using R = heat3d::Resident<radius, length, rows>;
    const auto kernel = resident_slab<radius, length, rows, T>;
    peers::for_parts(heat.team, [&](int, cudaStream_t) {
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(shared_bytes<R>(call.problem)));
    });
    peers::load_everywhere(heat.team, kernel);
  });
  heat.graphs.record(heat.team, [&] { launch_all<T>(call, heat); });
}

// Returns true if all blocks of the slabs that share a GPU can be resident at once. That is required, because
// blocks wait for each other's results.
bool all_fit(const Call& call) {
  std::int64_t tiles = 0;
  with_kernel(call.problem, [&]<int radius, int length, int rows>() {
    const dim3 of_part = tiles_of<heat3d::Resident<radius, length, rows>>(call.problem);
    tiles = std::int64_t{of_part.x} * of_part.y;
  });
  return tiles * parts::team_of(call).sharing <= multiprocessors();
}

const char* prepare(const Call& call, void** state) {
  const Problem& problem = call.problem;
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  if (!all_fit(call)) return "the blocks of all partitions on one GPU cannot be resident at once";
  auto heat = std::make_unique<Heat>(team);
  const std::int64_t plane =
      problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
  if (!heat->allocate(team, problem.extents.z, plane, 0, false))
    return "no device memory for a partition's planes";
  const Mail mail = mail_of(problem);
  if (!heat->mail.allocate(mail.faces) || !heat->planes_mail.allocate(mail.planes) ||
      !heat->rounds.allocate(mail.rounds))
    return "no device memory for the blocks' exchange buffers";
  if (const char* reason = heat->meetings.make(team)) return reason;
  problem.type == ElementType::float32 ? make_ready<float>(call, *heat) : make_ready<double>(call, *heat);
  *state = heat.release();
  return nullptr;
}

std::int64_t workspace(const Problem& problem, const int*) {
  const Mail mail = mail_of(problem);
  const std::int64_t slab =
      problem.extents.count() / problem.parts * static_cast<std::int64_t>(element_size(problem.type));
  return 2 * (slab + 3 * 4096) + mail.faces + mail.planes + mail.rounds + 4096;
}

}  // namespace

std::vector<Variant> heat3d_cuda_peers_resident() {
  Variant variant;
  variant.name = "peers_resident";
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      "one slab of planes per GPU stays in shared memory over all steps; exchanged values carry step numbers";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = refuse;
  variant.workspace = workspace;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Heat*>(state); };
  variant.parts.scatter = heat3d::scatter_fields<Heat>;
  variant.parts.gather = heat3d::gather_fields<Heat>;
  return {variant};
}

}  // namespace sextant
