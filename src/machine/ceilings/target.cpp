#include <functional>

#include "base/clock.hpp"
#include "device/open.hpp"
#include "device/target/directives.hpp"
#include "machine/ceilings/detail.hpp"

namespace sextant {
namespace {

double median_time(int samples, const std::function<void()>& launch) {
  std::vector<double> times;
  for (int i = 0; i < samples; ++i) {
    const double start = now();
    launch();
    times.push_back(now() - start);
  }
  return median_of(times);
}

}  // namespace

void measure_target_launches(int index, CeilingList* list) {
  const std::unique_ptr<Device> device = open_target_device(index, nullptr);
  if (!device) return;
  alignas(64) int counter = 0;
  device->map(&counter, sizeof counter);
  device->copy_in(&counter, &counter, sizeof counter);
  constexpr int warm_up = 10, samples = 200, team_samples = 50, many = 1024;
  const auto one = [&] { target::count_launch(&counter); };
  const auto team = [&] { target::count_in_teams(&counter, 1); };
  const auto teams = [&] { target::count_in_teams(&counter, many); };
  for (int i = 0; i < warm_up; ++i) one(), team(), teams();
  const double launch = median_time(samples, one), of_team = median_time(team_samples, team),
               of_teams = median_time(team_samples, teams);
  device->synchronise();
  device->copy_out(&counter, &counter, sizeof counter);
  device->unmap(&counter, sizeof counter);
  list->require(counter == 3 * warm_up + samples + 2 * team_samples, "OpenMP target regions were lost");
  list->add("launch_target", launch);
  list->add("launch_target_team", of_team);
  list->add("launch_target_1024_teams", of_teams);
}

}  // namespace sextant
