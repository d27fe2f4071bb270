// Passes measurements to the caller on a background thread, so that measuring does not wait for the database.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

class ResultForwarder {
 public:
  static constexpr std::size_t most_waiting = 64;

  // `to` receives all measurements that are waiting. It must not throw.
  explicit ResultForwarder(std::function<void(std::span<const Measurement>)> to);
  // Waits until all measurements have been passed on.
  ~ResultForwarder();
  ResultForwarder(const ResultForwarder&) = delete;
  ResultForwarder& operator=(const ResultForwarder&) = delete;

  // Queues a measurement. The order is kept. Blocks while the queue holds most_waiting measurements.
  void add(Measurement measurement);

 private:
  void run();

  std::function<void(std::span<const Measurement>)> to_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Measurement> waiting_;
  bool ends_ = false;
  std::thread thread_;  // must be the last member, because the thread uses all others
};

}  // namespace sextant
