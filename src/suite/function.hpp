// What the functions of a form are kept as: a function, or a function with something it is called for.
#pragma once

#include <cstddef>
#include <type_traits>

namespace sextant {

template <typename Signature>
class Function;

// Sixteen bytes that own nothing and copy like a pointer. Made of a function, of a lambda without captures,
// or of a function that takes a context first, with that context; null by default, and not to be called then.
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
  // `context` has to outlive every copy; without one there is nothing to call, and the Function is null.
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
    Plain plain_ = nullptr;     // where there is no context
    WithContext with_context_;  // where there is
  };
  const void* context_ = nullptr;
};

}  // namespace sextant
