#include "rank/program.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/process/loads.hpp"
#include "rank/mpi_messages.hpp"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

// Returns the first of these environment variables that is set, as an integer, or -1. MPI launchers set them.
int told(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return -1;
}

// Binds this rank to its own cores, if there are enough cores for all ranks. OpenMP reads the binding only at
// program start, so the program then executes itself again.
void take_own_cores(char** arguments) {
  const int rank = told({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"});
  const int ranks = told({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
  cpu_set_t all, own;
  if (!std::getenv("SEXTANT_RANK_CORES") || std::getenv("SEXTANT_RANK_BOUND") || rank < 0 || ranks < 1 ||
      ::sched_getaffinity(0, sizeof all, &all) != 0)
    return;
  const int cores = CPU_COUNT(&all);
  if (cores < ranks) return;
  CPU_ZERO(&own);
  const Share share = share_of(cores, ranks, rank);
  for (int processor = 0, place = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &all)) continue;
    if (place >= share.first && place < share.first + share.count) CPU_SET(processor, &own);
    ++place;
  }
  if (::sched_setaffinity(0, sizeof own, &own) != 0) return;
  ::setenv("SEXTANT_RANK_BOUND", "1", 1);
  ::setenv("OMP_PROC_BIND", "close", 0);
  ::setenv("OMP_PLACES", "cores", 0);
  ::execv("/proc/self/exe", arguments);
}

// Returns a new descriptor for a stream and replaces the stream by another file. The protocol uses the new
// descriptor, so that printed text cannot mix with it.
int keep_apart(int descriptor, int in_its_place, int flags) {
  const int kept = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 16);
  const int other = in_its_place >= 0 ? in_its_place : ::open("/dev/null", flags);
  ::dup2(other, descriptor);
  return kept;
}

std::vector<Load> loads_of(int count, char** arguments) {
  std::vector<Load> loads;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = arguments[i];
    if (name == "--load") loads.push_back({arguments[i + 1], ""});
    if (loads.empty()) continue;
    if (name == "--code") loads.back().code = arguments[i + 1];
    if (name == "--asked") loads.back().asked = arguments[i + 1];
  }
  return loads;
}

}  // namespace

int rank_program(int count, char** arguments, void (*change)(parts::Ranks* ranks, RankPlace* place)) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // kill this rank when its launcher ends
  if (told({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "SLURM_PROCID", "MPI_LOCALNRANKS"}) < 0 &&
      ::isatty(STDIN_FILENO)) {
    std::fputs("sextant-rank is started through an MPI launcher by `sextant run`, e.g. with -d 2xcpu\n",
               stderr);
    return 2;
  }
  take_own_cores(arguments);
  RankPlace place;
  parts::Ranks ranks = enter_mpi(&count, &arguments, &place);
  if (change) change(&ranks, &place);
  const int in = keep_apart(STDIN_FILENO, -1, O_RDONLY), out = keep_apart(STDOUT_FILENO, STDERR_FILENO, 0);
  const int code = rank_main(ranks, place, in, out, loads_of(count, arguments));
  leave_mpi();
  std::_Exit(code);  // skips the exit handlers of MPI libraries
}

}  // namespace sextant
