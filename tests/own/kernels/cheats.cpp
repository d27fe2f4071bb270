// Variants that skip work in timed calls.
/* sextant
name = "costly"
types = ["float"]
sizes = { n = "N / 2" }
arrays = [ { name = "a", role = "in", length = "n" }, { name = "c", role = "out", length = "n" } ]
reference = "serial.baseline"
tolerance = { absolute = "8 * eps", reason = "roundings of numbers up to 2, each halved in the next step" }
include = ["../../helpers"]
work = { flops = "128 * n", items = "n" }

[variant."serial.baseline"]
function = "cheat<Honest<T>>"
arguments = ["n", "a", "c"]

[variant."serial.already_there"]
function = "cheat<AlreadyThere<T>>"
arguments = ["n", "a", "c"]

[variant."serial.recognises"]
function = "cheat<Recognises<T>>"
arguments = ["n", "a", "c"]

[variant."serial.computes_twice"]
function = "cheat<ComputesTwice<T>>"
arguments = ["n", "a", "c"]

[variant."serial.keeps_its_first"]
function = "cheat<KeepsItsFirst<T>>"
arguments = ["n", "a", "c"]

[variant."serial.writes_rubbish"]
function = "cheat<WritesRubbish<T>>"
arguments = ["n", "a", "c"]

[variant."serial.joins_later"]
function = "cheat<JoinsLater<T>>"
arguments = ["n", "a", "c"]
*/
#include "cheating.hpp"

using namespace cheating;

template <typename Cheat>
void cheat(std::int64_t n, const T* a, T* c) {
  cheat<Cheat>(Arrays<T>{n, a, c});
}
