// Tests that variants are refused if NCCL rejects their messages. A fake library replaces NCCL.
#include "toolbox/cuda/nccl.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace sextant {
namespace {

std::string refusal(const nccl::Said& said, bool done) {
  const char* reason = nccl::refusal(said, done, nccl::not_recorded, "cuda.nccl makes them each time");
  return reason ? reason : "";
}

class Nccl : public testing::Test {
 protected:
  // From here on, the fake library is loaded under NCCL's name.
  void SetUp() override { ASSERT_NE(dlopen(SEXTANT_TEST_NCCL, RTLD_NOW), nullptr) << dlerror(); }
};

TEST_F(Nccl, IsRefusedWithItsWordsAndTheRemedy) {
  ASSERT_EQ(nccl::unavailable(), nullptr) << nccl::unavailable();
  nccl::Said said;
  EXPECT_EQ(refusal(said, true), "");
  EXPECT_EQ(refusal(said, false),
            "NCCL's calls could not be recorded as a CUDA graph: cuda.nccl makes them each time; "
            "NCCL_DEBUG=WARN prints details");
  said.hear(nccl::functions().group_start());
  EXPECT_EQ(refusal(said, true), "");
  said.hear(nccl::functions().group_end());
  for (const bool done : {false, true})  // CUDA may have recorded a graph even if NCCL reported an error
    EXPECT_NE(refusal(said, done).find("as a CUDA graph (invalid usage): cuda.nccl makes them"),
              std::string::npos)
        << refusal(said, done);
}

TEST_F(Nccl, HasNoCommunicatorsWhereItMakesNone) {
  const int devices[] = {0, 1};
  parts::Team team;
  team.parts = 2;
  team.sharing = 1;
  team.device = devices;
  const nccl::Communicator* communicators = nullptr;
  const char* reason = nccl::communicators_of(team, &communicators);
  ASSERT_NE(reason, nullptr);
  EXPECT_NE(std::string(reason).find(
                "could not create communicators (invalid usage): cuda.peers works without NCCL"),
            std::string::npos)
      << reason;
  EXPECT_EQ(communicators, nullptr);
}

}  // namespace
}  // namespace sextant
