// What a kernel has to do one after the other: chains from item to item, and operations of the plain loop
// that wait for the one before.
#pragma once

#include "predict/form.hpp"

namespace sextant::predict {

// Steps of the longest chain that go from one item to another: what is left of its depth when an item's own
// operations, which are a chain at worst, and a tree over all items are taken off, which takes no more than
// one wait in all.
double steps_between_items(const Form& form);

// What such chains cost: at each step the wait for a value, and, where a step has several items, for those
// who have them: `agreeing` times where data choose a step's items, as those of a search. A front that goes
// through a grid goes by tiles, and all wait for each other at each row of tiles alone.
double chain_time(const Form& form, double latency, double all_wait, double agreeing);

// Whether items add to what several of them add to, at places that data choose: tables, meshes.
bool adds_to_many(const Form& form);

// Of the plain loop.
struct InOrder {
  double terms = 0;         // operations that wait for the one before
  double sharing = 0;       // so many times longer they take where cores share them; 0: then they do not wait
  bool recurrence = false;  // they go from item to item, and are no sum of all
  bool scattered = false;   // they are those of passes that write where data say
};

// Sums over all items; trees over them that leave a value an item (scans), of which the plain loop makes a
// chain; passes that write where data say (sorts); items whose operations are one chain; and items that sum
// what no other item reads, or what lies strides apart, so that the terms of several are no vectors. Loads
// beyond those of the terms are of indices: then cores do not sum vectors, either. Cores that add to many
// each have a table of their own, which go into one at the end.
InOrder in_order(const Form& form);

}  // namespace sextant::predict
