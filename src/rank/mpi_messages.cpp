#include "rank/mpi_messages.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#ifdef OPEN_MPI
  #include <mpi-ext.h>
#endif

#include <algorithm>
#include <cstring>
#include <limits>

namespace sextant {
namespace {

static_assert(sizeof(MPI_Request) <= sizeof(parts::Request), "a request of MPI's is a number or a pointer");

constexpr int tag = 1;

// No MPI call here returns an error: by default (MPI_ERRORS_ARE_FATAL), an error ends all processes.

MPI_Request request_of(parts::Request value) {
  MPI_Request request;
  std::memcpy(&request, &value, sizeof request);
  return request;
}

parts::Request value_of(MPI_Request request) {
  parts::Request value = 0;
  std::memcpy(&value, &request, sizeof request);
  return value;
}

// Describes a number of bytes as a count of an MPI datatype. MPI counts are ints, so long messages need a
// larger datatype than MPI_BYTE.
struct Bytes {
  MPI_Datatype type = MPI_BYTE;
  int count = 0;
  bool own = false;

  explicit Bytes(std::int64_t bytes) : count(static_cast<int>(bytes)) {
    constexpr std::int64_t block = std::int64_t{1} << 20;
    if (bytes <= std::numeric_limits<int>::max()) return;
    MPI_Datatype blocks, types[2];
    MPI_Type_contiguous(static_cast<int>(block), MPI_BYTE, &types[0]);
    MPI_Type_contiguous(static_cast<int>(bytes / block), types[0], &blocks);
    MPI_Type_free(&types[0]);
    types[0] = blocks, types[1] = MPI_BYTE;
    const int counts[2] = {1, static_cast<int>(bytes % block)};
    const MPI_Aint places[2] = {0, static_cast<MPI_Aint>(bytes / block * block)};
    MPI_Type_create_struct(2, counts, places, types, &type);
    MPI_Type_free(&blocks);
    MPI_Type_commit(&type);
    count = 1;
    own = true;
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() {
    if (own) MPI_Type_free(&type);  // MPI frees the datatype after its last use
  }
};

void isend(const void* data, std::int64_t bytes, int to, parts::Request* request) {
  const Bytes size(bytes);
  MPI_Request made;
  MPI_Isend(data, size.count, size.type, to, tag, MPI_COMM_WORLD, &made);
  *request = value_of(made);
}

void irecv(void* data, std::int64_t bytes, int from, parts::Request* request) {
  const Bytes size(bytes);
  MPI_Request made;
  MPI_Irecv(data, size.count, size.type, from, tag, MPI_COMM_WORLD, &made);
  *request = value_of(made);
}

void waitall(int count, parts::Request* requests) {
  for (int i = 0; i < count; ++i) {
    MPI_Request request = request_of(requests[i]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    requests[i] = value_of(request);
  }
}

bool testall(int count, parts::Request* requests) {
  bool all = true;
  for (int i = 0; i < count; ++i) {
    MPI_Request request = request_of(requests[i]);
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    requests[i] = value_of(request);
    all = all && done;
  }
  return all;
}

void allreduce(const double* from, double* to, std::int64_t count, parts::Combine combine) {
  // largest count per call, because MPI counts are ints
  constexpr std::int64_t most = std::int64_t{1} << 30;
  for (std::int64_t first = 0; first < count; first += most)
    MPI_Allreduce(from == to ? MPI_IN_PLACE : from + first, to + first,
                  static_cast<int>(std::min(most, count - first)), MPI_DOUBLE,
                  combine == parts::Combine::sum ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);
}

void alltoall(const void* from, void* to, std::int64_t bytes) {
  const Bytes size(bytes);
  MPI_Alltoall(from, size.count, size.type, to, size.count, size.type, MPI_COMM_WORLD);
}

void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

constexpr parts::Messages messages = {isend, irecv, waitall, testall, allreduce, alltoall, barrier};

// Returns true if MPI can send from GPU memory. Only Open MPI reports this; otherwise the answer is false.
bool takes_gpu_memory() {
#if defined(OPEN_MPI) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

RankPlace own_place() {
  RankPlace place;
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_rank(machine, &place.on_machine);
  MPI_Comm_size(machine, &place.of_machine);
  MPI_Comm_free(&machine);
  const int is_first = place.on_machine == 0;
  MPI_Allreduce(&is_first, &place.nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  place.sends_gpu_memory = takes_gpu_memory();
  return place;
}

}  // namespace

parts::Ranks enter_mpi(int* count, char*** arguments, RankPlace* place) {
  int given = 0;
  MPI_Init_thread(count, arguments, MPI_THREAD_FUNNELED, &given);
  parts::Ranks ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
  ranks.messages = &messages;
  *place = own_place();
  return ranks;
}

void leave_mpi() { MPI_Finalize(); }

}  // namespace sextant
