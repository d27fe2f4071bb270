#include "record/place.hpp"

#include <algorithm>
#include <charconv>

#include "suite/team.hpp"

namespace sextant {
namespace {

// Returns the non-negative integer in `text`, or -1 if it has a sign, leading zeros or other characters.
int number_in(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0;
  return whole && (text.size() == 1 || text.front() != '0') ? value : -1;
}

// Parses the text after "gpu", such as 1, 0-3 or 0:4.
std::optional<Place> gpus_in(std::string_view text) {
  const std::size_t mark = text.find_first_of("-:");
  const int first = number_in(text.substr(0, mark));
  if (first < 0 || first >= 1000) return {};
  Place place{.on_gpu = true, .device = first};
  if (mark == std::string_view::npos) return place;
  const int number = number_in(text.substr(mark + 1));
  place.devices = text[mark] == '-' ? number - first + 1 : 1;
  place.sharing = text[mark] == ':' ? number : 1;
  // reject gpu2-2; the user must write gpu2:1
  const bool is_one = text[mark] == '-' && place.devices == 1;
  if (is_one || place.devices < 1 || place.sharing < 1 || place.parts() > parts::most_of_a_team) return {};
  return place;
}

}  // namespace

std::optional<Place> place_of(const std::string& text) {
  if (text == "cpu") return Place{};
  const std::string_view view = text;
  if (view.starts_with("gpu")) return gpus_in(view.substr(3));
  const std::size_t cross = view.find('x');
  if (cross == std::string_view::npos) return {};
  const int ranks = number_in(view.substr(0, cross));
  const std::string_view kind = view.substr(cross + 1);
  if (ranks < 1 || ranks > most_ranks || (kind != "cpu" && kind != "gpu")) return {};
  return Place{.on_gpu = kind == "gpu", .ranks = ranks};
}

int parts_of(const std::string& device) {
  const std::optional<Place> place = place_of(device);
  return place ? place->parts() : 1;
}

int ranks_of(const std::string& device) {
  const std::optional<Place> place = place_of(device);
  return place ? place->ranks : 0;
}

int parts_together_of(const std::string& device) {
  const std::optional<Place> place = place_of(device);
  return place && place->in_parts() ? place->parts() : 0;
}

bool has_device(const Environment& environment, const std::string& device) {
  const std::optional<Place> place = place_of(device);
  if (!place) return false;
  const int last = place->device + std::max(place->devices, 1) - 1;
  return !place->on_gpu || environment.contains("gpu" + std::to_string(last) + ".name");
}

int gpu_index(const std::string& device) {
  const std::optional<Place> place = place_of(device);
  if (!place || place->in_parts()) return -2;
  return place->on_gpu ? place->device : -1;
}

bool is_on_cpu(const std::string& device) {
  const std::optional<Place> place = place_of(device);
  return place && !place->on_gpu;
}

std::vector<std::string> places_in(const std::string& list) {
  std::vector<std::string> places;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = list.find(',', begin);
    places.push_back(list.substr(begin, comma - begin));
    if (comma == std::string::npos) break;
    begin = comma + 1;
  }
  return places;
}

bool is_weak(const std::string& problem_class) { return problem_class.ends_with(each_part); }

}  // namespace sextant
