#include "run/interrupt.hpp"

namespace sextant {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM};
volatile std::sig_atomic_t flag = 0;
volatile std::sig_atomic_t last_signal = SIGINT;

}  // namespace

InterruptGuard::InterruptGuard() {
  flag = 0;
  struct sigaction action = {};
  action.sa_handler = [](int signal) {
    flag = 1;
    last_signal = signal;
  };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < 2; ++i) sigaction(signals[i], &action, &before_[i]);
}

InterruptGuard::~InterruptGuard() {
  for (int i = 0; i < 2; ++i) sigaction(signals[i], &before_[i], nullptr);
}

bool InterruptGuard::interrupted() { return flag != 0; }

int InterruptGuard::exit_code() { return 128 + last_signal; }

}  // namespace sextant
