#include "engine/case/state_reader.hpp"

#include <chrono>
#include <utility>

namespace sextant {

StateReader::StateReader(Read read, Clock& clock) : read_(std::move(read)), clock_(clock) {
  if (read_) thread_ = std::thread([this] { run(); });
}

StateReader::~StateReader() { stop(); }

std::vector<StateReader::Reading> StateReader::stop() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ending_.notify_one();
  if (thread_.joinable()) thread_.join();
  return std::move(readings_);
}

void StateReader::run() {
  double wait = first_seconds;
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, std::chrono::duration<double>(wait), [this] { return ends_; })) {
    wait = interval_seconds;
    lock.unlock();
    const double time = clock_.now();
    Reading reading{time, read_()};
    lock.lock();
    readings_.push_back(std::move(reading));
  }
}

}  // namespace sextant
