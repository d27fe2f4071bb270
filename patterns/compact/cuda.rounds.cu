#include "rounds_form.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Blocks = Choices<256, 512, 768>;
using Rows = Choices<4, 8>;
using PerMultiprocessor = Choices<1, 2>;

struct Shape {
  int block_size = 512, rows = 4, blocks_per_multiprocessor = 1;
};

constexpr int slots(int block, int rows, int blocks) {
  return rounds::slots_for(block * rows * 16, blocks, block * rows * 16 + 128);
}

std::int64_t tiles_of(const Problem& problem, const Shape& shape) {
  return rounds::tiles_of(
      problem.extents.x, shape.block_size * shape.rows * (16 / static_cast<int>(element_size(problem.type))));
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto board = static_cast<const lookback::Tickets*>(call.state)->board<std::int32_t>();
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      PerMultiprocessor::with(shape.blocks_per_multiprocessor, [&]<int blocks>() {
        if constexpr (slots(block, rows, blocks) > rounds::lead)
          rounds::launch<compact::ByRounds<block, rows, slots(block, rows, blocks), blocks, T>>(
              {call.array<T>(1), call.array<std::int32_t>(2)}, call.problem.extents.x, call.array<const T>(0),
              board, stream_of(call));
      });
    });
  });
}

const char* refuse(const Problem&, const Shape& shape) {
  return slots(shape.block_size, shape.rows, shape.blocks_per_multiprocessor) > rounds::lead
             ? nullptr
             : "more shared memory than the blocks of a multiprocessor have";
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(tiles_of(problem, shape), sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(tiles_of(call.problem, call.tuned<Shape>()), sizeof(std::int32_t), state);
}

}  // namespace

Variant compact_cuda_rounds() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "one launch that reads once: blocks that stay post a later tile's count before they write this one (Hopper)";
  variant.unavailable = bulk::unavailable;
  variant.tunables = tunables<Shape>(
      {{"block_size", &Shape::block_size, Blocks::list()},
       {"rows", &Shape::rows, Rows::list()},
       {"blocks_per_multiprocessor", &Shape::blocks_per_multiprocessor, PerMultiprocessor::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = lookback::release_tickets;
  return variant;
}

}  // namespace sextant
