// The callback type of Kernel and Variant: a function pointer with an optional context pointer.
#pragma once

#include <cstddef>
#include <type_traits>

namespace sextant {

template <typename Signature>
class Function;

// A non-owning callable, as small as two pointers. It holds a function, a lambda without captures, or a
// function with a context as first argument. It is null by default; calling a null Function is undefined.
template <typename Result, typename... Arguments>
class Function<Result(Arguments...)> {
 public:
  using Plain = Result (*)(Arguments...);
  using WithContext = Result (*)(const void* context, Arguments...);

  constexpr Function() = default;
  constexpr Function(std::nullptr_t) {}
  constexpr Function(Plain function) : plain_(function) {}
  template <typename Lambda>
  requires(std::is_class_v<Lambda> && !std::is_same_v<Lambda, Function> &&
           std::is_convertible_v<Lambda, Plain>) constexpr Function(Lambda lambda)
      : plain_(lambda) {}
  // `context` must outlive every copy. If it is null, the Function is null.
  constexpr Function(WithContext function, const void* context) : context_(context) {
    if (context) with_context_ = function;
  }

  Result operator()(Arguments... arguments) const {
    return context_ ? with_context_(context_, static_cast<Arguments&&>(arguments)...)
                    : plain_(static_cast<Arguments&&>(arguments)...);
  }

  constexpr explicit operator bool() const { return context_ ? with_context_ != nullptr : plain_ != nullptr; }
  friend constexpr bool operator==(const Function& function, std::nullptr_t) { return !function; }

 private:
  union {
    Plain plain_ = nullptr;     // the function, if context_ is null
    WithContext with_context_;  // the function, if context_ is not null
  };
  const void* context_ = nullptr;
};

}  // namespace sextant
