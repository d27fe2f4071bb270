#include "record/place.hpp"

#include <charconv>

namespace sextant {
namespace {

// The whole number that `text` is, without sign or leading zeros; -1: it is none.
int number_in(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0;
  return whole && (text.size() == 1 || text.front() != '0') ? value : -1;
}

}  // namespace

std::optional<Place> place_of(const std::string& text) {
  if (text == "cpu") return Place{};
  const std::string_view view = text;
  if (view.starts_with("gpu")) {
    const int device = number_in(view.substr(3));
    return device >= 0 && device < 1000 ? std::optional(Place{true, device, 0}) : std::nullopt;
  }
  const std::size_t cross = view.find('x');
  if (cross == std::string_view::npos) return {};
  const int ranks = number_in(view.substr(0, cross));
  const std::string_view kind = view.substr(cross + 1);
  if (ranks < 1 || ranks > most_ranks || (kind != "cpu" && kind != "gpu")) return {};
  return Place{kind == "gpu", 0, ranks};
}

int parts_of(const std::string& device) {
  const std::optional<Place> place = place_of(device);
  return place ? place->parts() : 1;
}

int ranks_of(const std::string& device) {
  const std::optional<Place> place = place_of(device);
  return place ? place->ranks : 0;
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
