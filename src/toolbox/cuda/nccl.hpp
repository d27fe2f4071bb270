// NCCL for a group of GPUs, loaded at the first use. The functions are declared here as in nccl.h of version
// 2, so that building does not need NCCL's header.
#pragma once

#include <cuda_runtime.h>

#include <map>
#include <string>
#include <vector>

#include "base/dynamic_library.hpp"
#include "suite/team.hpp"
#include "toolbox/watched.hpp"

namespace sextant::nccl {

using Communicator = void*;                         // ncclComm_t in nccl.h
inline constexpr int success = 0;                   // value of ncclSuccess
inline constexpr int of_bytes = 0;                  // value of ncclInt8
inline constexpr int adding = 0;                    // value of ncclSum
inline constexpr int type_of(float) { return 7; }   // value of ncclFloat32
inline constexpr int type_of(double) { return 8; }  // value of ncclFloat64

struct Functions {
  DynamicLibrary library{{"libnccl.so.2", "libnccl.so"}, "NCCL (libnccl2)"};
  int (*init_all)(Communicator* communicators, int count, const int* devices);
  int (*group_start)();
  int (*group_end)();
  int (*all_reduce)(const void* from, void* to, std::size_t count, int type, int operation,
                    Communicator communicator, cudaStream_t stream);
  int (*send)(const void* from, std::size_t count, int type, int to, Communicator communicator,
              cudaStream_t stream);
  int (*receive)(void* to, std::size_t count, int type, int from, Communicator communicator,
                 cudaStream_t stream);
  const char* (*error_text)(int status);

  Functions() {
    library.find("ncclCommInitAll", &init_all);
    library.find("ncclGroupStart", &group_start);
    library.find("ncclGroupEnd", &group_end);
    library.find("ncclAllReduce", &all_reduce);
    library.find("ncclSend", &send);
    library.find("ncclRecv", &receive);
    library.find("ncclGetErrorString", &error_text);
  }
};

inline const Functions& functions() {
  static const Functions opened;
  return opened;
}

inline const char* unavailable() {
  const std::string& problem = functions().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

// Keeps the first error of a launch's NCCL calls.
class Said : public Watched {
 public:
  void hear(int status) {
    if (status != success && !problem_) problem_ = functions().error_text(status);
  }
  const char* failure() const override { return problem_; }

 private:
  const char* problem_ = nullptr;
};

// Error messages of preparations.
inline constexpr char not_connected[] = "NCCL's first exchange failed";
inline constexpr char not_recorded[] = "NCCL's calls could not be recorded as a CUDA graph";
inline constexpr char peers_instead[] = "cuda.peers works without NCCL";

// Returns why a variant cannot be prepared: the problem, NCCL's message and an alternative. Returns null if
// `done` is true and NCCL reported no error. The text is valid until the next call.
inline const char* refusal(const Said& said, bool done, const std::string& problem,
                           const std::string& instead) {
  static std::string text;
  const char* words = said.failure();
  if (done && !words) return nullptr;
  text = problem + (words ? std::string(" (") + words + ")" : "") + ": " + instead +
         "; NCCL_DEBUG=WARN prints details";
  return text.c_str();
}

// Stores one communicator per partition in `*all`. Returns null, or the reason of the failure. Communicators
// are kept for later calls with the same GPUs.
inline const char* communicators_of(const parts::Team& team, const Communicator** all) {
  static std::map<std::vector<int>, std::vector<Communicator>> made;
  if (team.sharing > 1) return "NCCL does not support two partitions on one GPU";
  const std::vector<int> devices(team.device, team.device + team.parts);
  std::vector<Communicator>& here = made[devices];
  if (here.empty()) {
    std::vector<Communicator> fresh(devices.size());
    Said said;
    said.hear(functions().init_all(fresh.data(), team.parts, devices.data()));
    if (said.failure()) return refusal(said, false, "NCCL could not create communicators", peers_instead);
    here = std::move(fresh);
  }
  *all = here.data();
  return nullptr;
}

}  // namespace sextant::nccl
