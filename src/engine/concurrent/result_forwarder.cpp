#include "engine/concurrent/result_forwarder.hpp"

#include <utility>

namespace sextant {

ResultForwarder::ResultForwarder(std::function<void(std::span<const Measurement>)> to)
    : to_(std::move(to)), thread_([this] { run(); }) {}

ResultForwarder::~ResultForwarder() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ResultForwarder::add(Measurement measurement) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < most_waiting; });
  waiting_.push_back(std::move(measurement));
  changed_.notify_all();
}

void ResultForwarder::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::vector<Measurement> next = std::exchange(waiting_, {});
    changed_.notify_all();
    lock.unlock();
    to_(next);
    lock.lock();
  }
}

}  // namespace sextant
