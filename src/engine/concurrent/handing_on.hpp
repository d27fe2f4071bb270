// Stores results on a background thread, so that measuring does not wait for the database.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

class HandingOn {
 public:
  static constexpr std::size_t most_waiting = 64;

  // `to` throws nothing; it gets all that wait.
  explicit HandingOn(std::function<void(std::span<const Measurement>)> to);
  // Returns when all were handed on.
  ~HandingOn();
  HandingOn(const HandingOn&) = delete;
  HandingOn& operator=(const HandingOn&) = delete;

  // In the order in which they come; waits while most_waiting do, beside those that are being handed on.
  void add(Measurement measurement);

 private:
  void run();

  std::function<void(std::span<const Measurement>)> to_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Measurement> waiting_;
  bool ends_ = false;
  std::thread thread_;  // begins when the rest is there
};

}  // namespace sextant
