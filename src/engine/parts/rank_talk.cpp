#include "engine/parts/rank_talk.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <exception>
#include <new>
#include <vector>

namespace sextant {
namespace {

// Waits until the messages have completed. Polls less and less often, so that no core is kept busy.
void wait_for(const parts::Ranks& ranks, std::vector<parts::Request>& requests) {
  constexpr long first = 20'000, most = 2'000'000;  // shortest and longest pause in nanoseconds
  for (long pause = first; !ranks.testall(static_cast<int>(requests.size()), requests.data());
       pause = std::min(most, pause + pause / 4)) {
    const timespec time{0, pause};
    ::nanosleep(&time, nullptr);
  }
}

void share_bytes(const parts::Ranks& ranks, int from, void* data, std::int64_t bytes) {
  std::vector<parts::Request> requests;
  if (ranks.rank != from) {
    ranks.irecv(data, bytes, from, &requests.emplace_back());
  } else {
    for (int to = 0; to < ranks.size; ++to)
      if (to != from) ranks.isend(data, bytes, to, &requests.emplace_back());
  }
  wait_for(ranks, requests);
}

const parts::Messages messages_of_one = {
    .isend = [](const void*, std::int64_t, int, parts::Request* request) { *request = 0; },
    .irecv = [](void*, std::int64_t, int, parts::Request* request) { *request = 0; },
    .waitall = [](int, parts::Request*) {},
    .testall = [](int, parts::Request*) { return true; },
    .allreduce =
        [](const double* from, double* to, std::int64_t count, parts::Combine) {
          if (from != to) std::copy_n(from, count, to);
        },
    .alltoall = [](const void* from, void* to,
                   std::int64_t bytes) { std::memcpy(to, from, static_cast<std::size_t>(bytes)); },
    .barrier = []() {},
};

}  // namespace

void share_text(const parts::Ranks& ranks, int from, std::string* text) {
  auto size = static_cast<std::int64_t>(text->size());
  share_bytes(ranks, from, &size, sizeof size);
  text->resize(static_cast<std::size_t>(size));
  if (size > 0) share_bytes(ranks, from, text->data(), size);
}

// Returns the error of the first rank that has one. Waits with pauses, because some ranks may take long to
// get here.
Trouble agreed(const parts::Ranks& ranks, const Trouble& own) {
  std::string text = own.any() ? (own.failed ? 'f' : 's') + own.reason : "";
  const auto size = static_cast<std::int64_t>(text.size());
  std::vector<parts::Request> requests;
  if (ranks.rank > 0) {
    ranks.isend(&size, sizeof size, 0, &requests.emplace_back());
    if (size > 0) ranks.isend(text.data(), size, 0, &requests.emplace_back());
    wait_for(ranks, requests);
  } else {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks.size), size);
    for (int from = 1; from < ranks.size; ++from)
      ranks.irecv(&sizes[static_cast<std::size_t>(from)], sizeof size, from, &requests.emplace_back());
    wait_for(ranks, requests);
    for (int from = 1; from < ranks.size; ++from) {
      std::string other(static_cast<std::size_t>(sizes[static_cast<std::size_t>(from)]), ' ');
      if (other.empty()) continue;
      requests.assign(1, parts::Request{});
      ranks.irecv(other.data(), static_cast<std::int64_t>(other.size()), from, &requests.front());
      wait_for(ranks, requests);
      if (text.empty()) text = other.front() + ("rank " + std::to_string(from)) + ": " + other.substr(1);
    }
  }
  std::string common = text;
  share_text(ranks, 0, &common);
  if (common.empty()) return {};
  return {common.substr(1), common.front() == 'f'};
}

Trouble tried(const std::function<std::string()>& step) {
  try {
    return {step(), false};
  } catch (const std::bad_alloc&) {
    return {"host memory ran out", true};
  } catch (const std::exception& error) {
    return {error.what(), true};
  }
}

double largest(const parts::Ranks& ranks, double value) {
  ranks.allreduce(&value, 1, parts::Combine::largest);
  return value;
}

double sum(const parts::Ranks& ranks, double value) {
  ranks.allreduce(&value, 1, parts::Combine::sum);
  return value;
}

const parts::Ranks& one_rank() {
  static const parts::Ranks ranks{.messages = &messages_of_one};
  return ranks;
}

}  // namespace sextant
