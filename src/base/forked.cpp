#include "base/forked.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace sextant {
namespace {

int watched[2] = {-1, -1};

}  // namespace

void watch_copies(int in, int out) {
  watched[0] = in;
  watched[1] = out;
  ::pthread_atfork(nullptr, nullptr, [] {
    is_copy = true;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int descriptor : watched) ::close(descriptor);
  });
}

}  // namespace sextant
