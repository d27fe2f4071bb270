// The sizes of a drafted description.
#include <algorithm>

#include "own/draft/draft_text.hpp"

namespace sextant::own {
namespace {

// Returns the value of a number that no length depends on. A limit for elements of an array is in the middle
// of the numbers that fill the array.
std::string guess_of(const DraftNumber& one) {
  if (one.compared_to == "unsigned char") return "128";
  if (one.compared_to == "unsigned short") return "32768";
  if (one.compared_to.starts_with("unsigned")) return "1000000";
  return one.divisor ? "16" : one.count ? "10" : "1";
}

}  // namespace

// Returns the largest number of iterations of a function, if it grows at least with the square of the arrays'
// lengths. Zero otherwise.
Polynomial Draft::most_work() const {
  std::size_t degree = 1;
  for (const DraftArray& one : parts_.arrays) degree = std::max(degree, degree_of(one));
  Polynomial most(0);
  for (const DraftFunction& function : functions_)
    for (Polynomial work : function.work) {
      for (const std::string& name : work.names())
        if (const DraftNumber* one = parts_.number_named(name); !one || !one->in_lengths || one->threads)
          work = work.with(name, 1);
      if (work.degree() >= 2 * degree && work.degree() > most.degree()) most = work;
    }
  return most;
}

// Returns an upper limit for a size on which quadratic work depends, so that a check takes seconds; 0 for
// other sizes. The first of several such sizes has none.
std::int64_t Draft::limit_by_work(const std::string& size, bool first) const {
  const Polynomial work = most_work();
  const bool several = work.names().size() > 1;
  if (!work.has(size) || (several && first)) return 0;
  if (several) return work.degree() == 2 ? 512 : 64;
  return work.degree() == 2 ? 4096 : work.degree() == 3 ? 256 : 64;
}

// Returns an upper limit for a size, or 0. Appends the reason to `why`.
std::int64_t Draft::limit_of(const std::string& size, bool first, std::string* why) const {
  const std::int64_t by_work = limit_by_work(size, first), room = parts_.number_named(size)->most;
  if (room > 0 && (by_work == 0 || room < by_work)) {
    *why += "; " + size + " limited, as an array of the code has room for " + std::to_string(room);
    return room;
  }
  const std::string reason = "; limited, as the work grows with " + most_work().text();
  if (by_work > 0 && why->find(reason) == std::string::npos) *why += reason;
  return by_work;
}

// Sorts the sizes: those that follow from N, because array lengths depend on them, and all others.
void Draft::split_sizes(std::vector<std::string>* from_n, std::vector<std::string>* others) const {
  const bool any_used = std::any_of(parts_.numbers.begin(), parts_.numbers.end(),
                                    [](const DraftNumber& one) { return one.in_lengths; });
  for (const DraftNumber& one : parts_.numbers) {
    if (one.real) continue;
    const auto change = asked_.changes.sizes.find(one.name);
    const bool constant = change != asked_.changes.sizes.end() && !change->second.text.starts_with('"');
    const bool follows = constant   ? false
                         : any_used ? one.in_lengths && !one.count && !one.block
                                    : from_n->size() < 3;
    (follows ? from_n : others)->push_back(one.name);
  }
}

// Returns the first size that follows from N, so that all arrays together have about N elements.
std::string Draft::first_size() const {
  std::size_t degree = 0;
  for (const DraftArray& one : parts_.arrays)
    degree = std::max(degree, !asked_.changes.empty() ? arrays_.degree_with_changes(one)
                              : one.lengths.empty()   ? arrays_.spanned().degree()
                                                      : degree_of(one));
  const std::string share = parts_.arrays.size() == 1 ? "N" : "N / " + std::to_string(parts_.arrays.size());
  return degree <= 1 ? share : std::string(degree == 2 ? "sqrt(" : "cbrt(") + share + ")";
}

// Returns the description's line `sizes`. Sizes that occur in array lengths are computed from N. All other
// sizes are 1.
std::string Draft::sizes_text() const {
  std::vector<std::string> from_n, others;
  split_sizes(&from_n, &others);
  std::string text, threads, limited, found;
  const auto add_changed = [&](const std::string& size) {
    const auto change = asked_.changes.sizes.find(size);
    if (change == asked_.changes.sizes.end()) return false;
    text += (text.empty() ? "" : ", ") + size + " = " + change->second.text;
    found += "; " + size + ": " + change->second.why;
    return true;
  };
  for (const std::string& one : from_n) {
    if (add_changed(one)) continue;
    const bool whole_blocks = parts_.number_named(one)->threads, first = &one == &from_n[0];
    if (whole_blocks) threads = "; no thread checks its index: `" + one + "` must be a multiple of the block";
    const std::int64_t limit = limit_of(one, first, &limited);
    const std::string value = first ? first_size() : from_n[0];
    text += (text.empty() ? "" : ", ") + one + " = \"" +
            (limit == 0 ? value : "min(" + value + ", " + std::to_string(limit) + ")") +
            (whole_blocks ? " // 1024 * 1024\"" : "\"");
  }
  std::string guesses;
  for (const std::string& one : others) {
    if (add_changed(one)) continue;
    const std::string guess = guess_of(*parts_.number_named(one));
    text += (text.empty() ? "" : ", ") + one + " = " + guess;
    if (guesses.find("; " + guess + " is") == std::string::npos) guesses += "; " + guess + " is a guess";
  }
  return text.empty() ? ""
                      : "sizes = { " + text + " }  # from N, the elements of all arrays" + threads + guesses +
                            limited + found + "\n";
}

}  // namespace sextant::own
