#include "own/kernel/guarded_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <utility>

#include "toolbox/sanitizer.hpp"

namespace sextant::own {

GuardedMemory::GuardedMemory(std::size_t bytes) {
  constexpr std::size_t alignment = 16;
  if (address_sanitizer || std::getenv("SEXTANT_FIND_OVERRUNS")) {
    data_ = new std::byte[bytes]();
    return;
  }
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t used = (bytes + page - 1) / page * page;
  mapped_bytes_ = used + page;
  mapped_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) throw std::bad_alloc();
  auto* begin = static_cast<std::byte*>(mapped_);
  mprotect(begin + used, page, PROT_NONE);
  data_ = begin + (used - bytes) / alignment * alignment;
}

GuardedMemory::~GuardedMemory() {
  if (mapped_)
    munmap(mapped_, mapped_bytes_);
  else
    delete[] data_;
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      mapped_(std::exchange(other.mapped_, nullptr)),
      mapped_bytes_(other.mapped_bytes_) {}

}  // namespace sextant::own
