// MPI ranks with one GPU each. The data for each other rank are packed into one message, sent by MPI through
// pinned host memory, and unpacked. Packing and unpacking take one kernel launch each (fused=1), or one per
// region of the halo. Data that stay on the same GPU are copied before the messages are sent.
#include <memory>

#include "packing.cuh"
#include "rank_parts.hpp"
#include "toolbox/cuda/gpu_mail.hpp"

namespace sextant {
namespace {

using namespace halo3d;
using gpu_ranks::Mail;
using gpu_ranks::Way;

constexpr std::int64_t guard_bytes = 4096;
constexpr unsigned char guard = 0xFF;  // these bytes are NaN in any floating-point type

// The array of one rank's subdomain between guard zones, and the rank's message buffers.
class Field {
 public:
  Field(const Call& call, Way way)
      : rank_(parts::gpu_rank_of(call)), cut_(parts_of(call.problem)), mail_(rank_, way) {
    const Part& own = cut_[static_cast<std::size_t>(rank_.rank)];
    bytes_ = own.elements(call.problem) * static_cast<std::int64_t>(element_size(call.problem.type));
  }
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;
  virtual ~Field() {
    for (char* memory : {memory_, out_, in_})
      if (memory) rank_.memory->release(rank_, 0, memory);
  }

  void scatter(const Call& call) const {
    std::vector<char> host(static_cast<std::size_t>(bytes_));
    hand_out(call, cut_, host.data(), bytes_);
    rank_.memory->write(rank_, 0, points(), host.data(), bytes_);
  }

  // Copies the subdomain back. If a guard zone was overwritten, it fills the subdomain with NaN, so that the
  // check of the results fails.
  void gather(const Call& call) const {
    std::vector<char> host(static_cast<std::size_t>(bytes_), static_cast<char>(guard));
    if (guards_hold()) rank_.memory->read(rank_, 0, host.data(), points(), bytes_);
    collect(call, cut_, host.data(), bytes_);
  }

 protected:
  bool allocate(const Problem& problem) {
    const std::int64_t all = bytes_ + 2 * guard_bytes, messages = most_in_messages(problem);
    for (const auto& [memory, bytes] :
         {std::pair(&memory_, all), std::pair(&out_, messages), std::pair(&in_, messages)}) {
      *memory = static_cast<char*>(rank_.memory->allocate(rank_, 0, bytes));
      if (!*memory) return false;
    }
    rank_.memory->fill(rank_, 0, memory_, guard, all);
    return true;
  }
  char* points() const { return memory_ + guard_bytes; }

  const parts::GpuRank& rank_;
  std::vector<Part> cut_;
  Mail mail_;
  std::int64_t bytes_;
  char *memory_ = nullptr, *out_ = nullptr, *in_ = nullptr;

 private:
  bool guards_hold() const {
    std::vector<unsigned char> zone(static_cast<std::size_t>(guard_bytes));
    for (const char* from : {memory_, points() + bytes_}) {
      rank_.memory->read(rank_, 0, zone.data(), from, guard_bytes);
      if (std::any_of(zone.begin(), zone.end(), [](unsigned char byte) { return byte != guard; }))
        return false;
    }
    return true;
  }
};

template <typename T>
class FieldOf : public Field {
 public:
  using Field::Field;

  const char* make(const Problem& problem) {
    if (!allocate(problem)) return "no device memory for a rank's array and messages";
    packing_ = std::make_unique<Packing<T>>(problem, cut_, rank_.rank, reinterpret_cast<T*>(points()),
                                            reinterpret_cast<T*>(out_), reinterpret_cast<const T*>(in_));
    const bool made = mail_.make(mail_of(packing_->sent, out_), mail_of(packing_->received, in_));
    return made ? nullptr : "no pinned host memory for a rank's messages";
  }

  void exchange(const PackingShape& shape) {
    const cudaStream_t stream = gpu_ranks::stream_of(rank_);
    launch_packing(packing_->packing, shape, stream);
    mail_.begin(stream);
    mail_.end(stream);
    launch_packing(packing_->unpacking, shape, stream);
  }

 private:
  static std::vector<gpu_ranks::Message> mail_of(const Messages& messages, char* memory) {
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    std::vector<gpu_ranks::Message> mail;
    for (const Message& message : messages.messages)
      mail.push_back({memory + message.first * size, message.count * size, message.other});
    return mail;
  }

  std::unique_ptr<Packing<T>> packing_;
};

// One instance per transfer path (direct or staged), because variants share no compiled code.
template <typename T, Way>
void launch(const Call& call) {
  static_cast<FieldOf<T>*>(static_cast<Field*>(call.state))->exchange(call.tuned<PackingShape>());
}

template <typename T>
const char* prepare_field(const Call& call, Way way, void** state) {
  auto field = std::make_unique<FieldOf<T>>(call, way);
  if (const char* reason = field->make(call.problem)) return reason;
  *state = static_cast<Field*>(field.release());
  return nullptr;
}

template <Way way>
const char* prepare(const Call& call, void** state) {
  if (const char* reason = gpu_ranks::why_not(parts::gpu_rank_of(call), way)) return reason;
  return call.problem.type == ElementType::float32 ? prepare_field<float>(call, way, state)
                                                   : prepare_field<double>(call, way, state);
}

std::int64_t workspace(const Problem& problem, const PackingShape&) {
  return most_elements(problem, parts_of(problem)) * static_cast<std::int64_t>(element_size(problem.type)) +
         2 * guard_bytes + 2 * most_in_messages(problem);
}

}  // namespace

namespace halo3d {

Variant variant_of_gpu_ranks(Way way) {
  Variant variant;
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      way == Way::staged
          ? "one GPU per rank, one packed message per other rank, staged in pinned host memory"
          : "one GPU per rank, one packed message per other rank, sent by MPI from GPU memory to GPU memory";
  variant.tunables = packing_tunables();
  variant.constraint = [](const Problem& problem, const int*) { return why_too_narrow(problem); };
  variant.workspace = by_name<workspace>;
  variant.prepare = way == Way::staged ? prepare<Way::staged> : prepare<Way::straight>;
  variant.release = [](void* state) { delete static_cast<Field*>(state); };
  variant.parts.scatter = [](const Call& call) { static_cast<const Field*>(call.state)->scatter(call); };
  variant.parts.gather = [](const Call& call) { static_cast<const Field*>(call.state)->gather(call); };
  if (way == Way::staged)
    variant.launch = {.float32 = launch<float, Way::staged>, .float64 = launch<double, Way::staged>};
  else
    variant.launch = {.float32 = launch<float, Way::straight>, .float64 = launch<double, Way::straight>};
  variant.parts.needs_mpi = true;
  return variant;
}

}  // namespace halo3d

std::vector<Variant> halo3d_cuda_mpi() {
  return {
      named("mpi", halo3d::variant_of_gpu_ranks(gpu_ranks::Way::straight)),
      named("mpi_staged", halo3d::variant_of_gpu_ranks(gpu_ranks::Way::staged)),
  };
}

}  // namespace sextant
