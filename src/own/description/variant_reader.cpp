// Reads the variants of a user kernel from its description (a table in TOML or JSON).
#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "own/description/description_reader.hpp"
#include "own/description/sizes.hpp"

namespace sextant::own {
namespace {

constexpr std::size_t most_choices = 4096, most_tunables = 32;

const std::vector<std::string> casts = {"int",      "unsigned", "long",     "long long", "size_t",  "int64_t",
                                        "uint64_t", "int32_t",  "uint32_t", "float",     "double",  "T",
                                        "bool",     "int8_t",   "uint8_t",  "int16_t",   "uint16_t"};

Model model_of(const std::string& name, const Place& place) {
  const std::size_t dot = name.find('.');
  const std::string model = name.substr(0, dot), rest = dot == std::string::npos ? "" : name.substr(dot + 1);
  const std::vector<std::string> models = {"serial", "openmp", "cuda"};
  if (model == "openacc" || model == "target")
    refuse(place, std::string(model == "openacc" ? "OpenACC" : "OpenMP's offloading") +
                      " needs its own compiler to link the program, so a single file cannot hold " + name +
                      ". Put the variant into a folder, which `sextant new NAME` creates.");
  if (model == "stdpar")
    refuse(place, "C++'s parallel algorithms need the library TBB, so a single file cannot hold " + name +
                      ". Put the variant into a folder, which `sextant new NAME` creates.");
  if (std::find(models.begin(), models.end(), model) == models.end())
    refuse(
        place,
        "\"" + name +
            "\" does not begin with a programming model of single files, which are serial, openmp and cuda." +
            did_you_mean(model, models));
  const bool good = is_identifier(rest) &&
                    std::none_of(rest.begin(), rest.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!good)
    refuse(place, "\"" + name + "\" is not a valid variant name. Write a name in quotes such as [variant.\"" +
                      model + ".plain\"], with a-z, 0-9 and _ only.");
  return model == "serial" ? Model::serial : model == "openmp" ? Model::openmp : Model::cuda;
}

void read_tunables(const Description& description, const Value& tune, DescribedVariant* to) {
  if (tune.kind != Value::Kind::table)
    refuse(tune.place, "`tune` must be a table, such as tune = { block_size = [64, 128] }");
  for (const Member& one : tune.members) {
    if (one.key == "flag" && one.value.kind == Value::Kind::table) {
      for (const Member& flag : one.value.members) {
        check_name(description, flag.key, flag.place, "a flag");
        to->tunables.push_back(
            tunable_of("flag." + flag.key, flag.place, list_of(flag.value, "flag." + flag.key), true));
      }
      continue;
    }
    check_name(description, one.key, one.place, "a tunable");
    to->tunables.push_back(tunable_of(one.key, one.place, list_of(one.value, one.key), false));
  }
  if (to->tunables.size() > most_tunables) refuse(tune.place, "`tune` has more than 32 tunables");
}

void read_constraints(const std::vector<std::string>& names, const Value& value, DescribedVariant* to) {
  const auto add = [&](const Value& condition, const std::string& reason) {
    to->constraints.push_back({expression_of(condition, names, "constraint"), reason});
  };
  const auto reason_of = [](const Value& condition) {
    return "not " + (condition.text.empty() ? "so" : condition.text);
  };
  if (value.kind != Value::Kind::list) return add(value, reason_of(value));
  for (const Value& one : value.list) {
    if (one.kind != Value::Kind::table) {
      add(one, reason_of(one));
      continue;
    }
    const Keys keys(one, "a constraint", {"condition", "reason"});
    add(keys.need("condition", "condition = \"block_size <= 512\""),
        text_of(keys.need("reason", "reason = \"…\""), "the reason"));
  }
}

std::vector<Expression> up_to_three(const Value& value, const std::vector<std::string>& names,
                                    const std::string& what) {
  std::vector<Expression> all;
  if (value.kind != Value::Kind::list) return {expression_of(value, names, what)};
  for (const Value& one : value.list) all.push_back(expression_of(one, names, what));
  if (all.empty() || all.size() > 3)
    refuse(value.place, what + " must have one to three values, for the axes x, y and z");
  return all;
}

void read_launch(const Keys& keys, const std::vector<std::string>& names, const DescribedVariant& variant,
                 DescribedStep* to) {
  if (variant.launcher) return;
  if (variant.model == Model::cuda) {
    to->block = up_to_three(keys.need("block", "the threads of a block, such as block = [\"block_size\"]"),
                            names, "block");
    to->grid =
        up_to_three(keys.need("grid", "the number of blocks, such as grid = [\"ceil_div(n, block_size)\"]"),
                    names, "grid");
    if (const Value* shared = keys.find("shared")) to->shared = expression_of(*shared, names, "shared");
    return;
  }
  for (const char* key : {"block", "grid", "shared", "constants"})
    if (const Value* value = keys.find(key))
      refuse(value->place,
             std::string(key) + " applies to CUDA only, and " + variant.name + " is not a CUDA variant");
}

void read_launcher(const Keys& keys, DescribedVariant* to) {
  const Value* value = keys.find("launcher");
  if (!value || !truth_of(*value, "launcher")) return;
  if (to->model != Model::cuda)
    refuse(value->place, "`launcher` applies to CUDA only, and " + to->name + " is not a CUDA variant");
  for (const char* key : {"block", "grid", "shared", "steps", "constants"})
    if (const Value* other = keys.find(key))
      refuse(other->place, "the function launches its kernels itself (launcher = true), so leave `" +
                               std::string(key) + "` out");
  to->launcher = true;
}

int array_or_refuse(const Description& description, const Value& value, const std::string& what) {
  std::vector<std::string> names;
  for (const DescribedArray& one : description.arrays) names.push_back(one.name);
  const int index = array_named(description, text_of(value, what));
  if (index < 0)
    refuse(inside(value),
           "\"" + value.text + "\" is not an array of this description." + did_you_mean(value.text, names));
  return index;
}

void read_rest(const Description& description, const Keys& keys, DescribedVariant* to) {
  if (const Value* prepare = keys.find("prepare")) {
    to->prepare = text_of(*prepare, "prepare");
    if (to->model == Model::cuda)
      refuse(prepare->place,
             "`prepare` names a host function, which a CUDA variant cannot use. To fill constant memory, "
             "write constants = { symbol = \"array\" }.");
  }
  if (const Value* constants = keys.find("constants")) {
    if (constants->kind != Value::Kind::table)
      refuse(constants->place, "`constants` must be a table, such as constants = { d_filter = \"filter\" }");
    for (const Member& one : constants->members)
      to->constants.push_back({one.key, array_or_refuse(description, one.value, "constants." + one.key)});
  }
}

// Reads the indices of the two arrays that are swapped between repetitions. Empty if the key is missing.
std::vector<int> swapped_of(const Description& description, const Keys& keys, bool repeats) {
  const Value* swap = keys.find("swap");
  if (!swap) return {};
  if (!repeats)
    refuse(swap->place,
           "`swap` exchanges two arrays between repeated launches, but nothing is repeated. Add repeat, such "
           "as repeat = \"steps\".");
  std::vector<int> swapped;
  for (const Value& one : list_of(*swap, "swap")) {
    const int index = array_or_refuse(description, one, "each of swap");
    if (description.arrays[static_cast<std::size_t>(index)].role != Role::inout)
      refuse(inside(one),
             "the array " + one.text +
                 " of `swap` is written after the arrays are exchanged, so its role must be \"inout\"");
    swapped.push_back(index);
  }
  if (swapped.size() != 2 || swapped[0] == swapped[1])
    refuse(swap->place, "`swap` must name two different arrays");
  const auto array = [&](int index) -> const DescribedArray& {
    return description.arrays[static_cast<std::size_t>(index)];
  };
  const auto cpp = [&](int index) { return array(index).type ? array(index).type->cpp : "T"; };
  if (array(swapped[0]).length.text() != array(swapped[1]).length.text())
    refuse(swap->place, "`swap` must name two arrays of the same length");
  if (cpp(swapped[0]) != cpp(swapped[1])) refuse(swap->place, "`swap` must name two arrays of the same type");
  return swapped;
}

// Splits "int(n)" into cast and argument. Without a cast, the argument is the whole text.
std::pair<std::string, std::string> cast_of(const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')') return {"", text};
  const std::string cast = text.substr(0, open);
  if (std::find(casts.begin(), casts.end(), cast) == casts.end()) return {"", text};
  return {cast, text.substr(open + 1, text.size() - open - 2)};
}

}  // namespace

DescribedTunable tunable_of(const std::string& name, const Place& place, const std::vector<Value>& values,
                            bool flag) {
  DescribedTunable tunable;
  tunable.name = name;
  tunable.place = place;
  tunable.flag = flag;
  if (values.empty() || values.size() > most_choices)
    refuse(place, "the tunable " + name + " must have 1 to 4096 values");
  const bool whole = !flag && std::all_of(values.begin(), values.end(), [](const Value& one) {
    return one.kind == Value::Kind::whole || one.kind == Value::Kind::truth;
  });
  for (const Value& one : values) {
    if (whole) {
      if (one.whole < -2147483648LL || one.whole > 2147483647LL)
        refuse(one.place, "the tunable " + name + " has a value that exceeds 32 bits");
      tunable.choices.push_back(static_cast<int>(one.whole));
      continue;
    }
    tunable.choices.push_back(static_cast<int>(tunable.texts.size()));
    if (flag || one.kind == Value::Kind::text) {
      tunable.texts.push_back(text_of(one, "each choice of " + name));
      continue;
    }
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number_of(one, "each choice of " + name));
    tunable.texts.emplace_back(text);
  }
  tunable.preferred = tunable.choices.front();
  const std::set<std::string> texts(tunable.texts.begin(), tunable.texts.end());
  const std::set<int> choices(tunable.choices.begin(), tunable.choices.end());
  if (choices.size() != values.size() || (!whole && texts.size() != values.size()))
    refuse(place, "the tunable " + name + " has a value twice");
  std::sort(tunable.choices.begin(), tunable.choices.end());
  return tunable;
}

Compilation compilation_of(const Keys& keys, const Compilation& for_all) {
  Compilation compilation = for_all;
  if (const Value* files = keys.find("files")) compilation.files = texts_of(*files, "files");
  const auto add = [&](const char* key, std::vector<std::string>* to) {
    const Value* value = keys.find(key);
    if (!value) return;
    for (std::string& one : texts_of(*value, key)) to->push_back(std::move(one));
  };
  add("include", &compilation.include);
  add("options", &compilation.options);
  add("defines", &compilation.defines);
  if (const Value* compiler = keys.find("compiler")) {
    const std::string& name = text_of(*compiler, "compiler");
    compilation.nvcc = name == "nvcc";
    if (name != "nvcc" && name != "nvrtc")
      refuse(inside(*compiler),
             "`compiler` chooses the CUDA compiler. It must be \"nvrtc\" (the default) or \"nvcc\", not \"" +
                 name + "\". C++ is compiled with $CXX or g++." + did_you_mean(name, {"nvrtc", "nvcc"}));
  }
  return compilation;
}

namespace {

// Returns true for an array of the description that no variant writes.
bool is_input(const Description& description, int index) {
  const auto at = static_cast<std::size_t>(index);
  return at < description.arrays.size() && description.arrays[at].role == Role::in;
}

}  // namespace

std::vector<DescribedArgument> arguments_of(const Description& description, const DescribedVariant& variant,
                                            const Value& list) {
  std::vector<DescribedArgument> arguments;
  const std::vector<std::string> names = description.names_for_steps(variant);
  for (const Value& one : list_of(list, "arguments")) {
    DescribedArgument argument;
    argument.place = inside(one);
    if (one.kind == Value::Kind::whole) {
      argument.text = std::to_string(one.whole);
    } else {
      argument.text = text_of(one, "each of arguments");
    }
    auto [cast, inner] = cast_of(argument.text);
    argument.on_host = variant.launcher && inner.starts_with("host(") && inner.ends_with(')');
    if (argument.on_host) inner = inner.substr(5, inner.size() - 6);
    argument.cast = cast;
    argument.element = inner.starts_with('*') && array_named(description, variant, inner.substr(1)) >= 0;
    if (argument.element) inner.erase(0, 1);
    argument.index = array_named(description, variant, inner);
    if (argument.element && variant.model == Model::cuda && !variant.launcher)
      refuse(argument.place,
             "kernels take whole arrays, but *" + inner + " is one element. Write " + inner + ".");
    const bool copied = variant.launcher && (argument.element || argument.on_host);
    if (copied && !is_input(description, argument.index))
      refuse(argument.place, argument.text + " is a copy in the host's memory, so " + inner +
                                 " must be an input of the description");
    const auto scalar =
        std::find_if(description.scalars.begin(), description.scalars.end(),
                     [&, &text = inner](const NamedNumber& number) { return number.name == text; });
    if (argument.index >= 0) {
      if (!cast.empty())
        refuse(argument.place, "the argument " + inner + " is an array, so it cannot be cast");
    } else if (scalar != description.scalars.end()) {
      argument.kind = DescribedArgument::Kind::scalar;
      argument.index = static_cast<int>(scalar - description.scalars.begin());
    } else if (variant.launcher && argument.text == "stream" &&
               std::find(names.begin(), names.end(), "stream") == names.end()) {
      argument.kind = DescribedArgument::Kind::stream;
    } else {
      argument.kind = DescribedArgument::Kind::expression;
      std::vector<std::string> known = names;  // for the error message: all names that an argument may use
      for (const DescribedArray& array : description.arrays) known.push_back(array.name);
      for (const NamedNumber& number : description.scalars) known.push_back(number.name);
      argument.value = Expression(inner, is_identifier(inner) ? known : names, "arguments",
                                  argument.place.right(cast.empty() ? 0 : static_cast<int>(cast.size()) + 1));
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

namespace {

constexpr std::size_t most_steps = 64;

// Returns the index of the array that takes the value which the function returns.
int result_of(const Description& description, const DescribedVariant& variant, const Value& value) {
  const std::string& name = text_of(value, "result");
  const int index = array_named(description, variant, name);
  if (variant.model == Model::cuda && !variant.launcher)
    refuse(value.place, "a kernel returns no value, so `result` applies to host functions only");
  if (index < 0) refuse(inside(value), "`result` names no array: \"" + name + "\"");
  const auto at = static_cast<std::size_t>(index);
  if (at < description.arrays.size() && description.arrays[at].role == Role::in)
    refuse(inside(value), "`result` names " + name + ", which is an input");
  return index;
}

void read_step(const Description& description, const Keys& keys, const DescribedVariant& variant,
               DescribedStep* to) {
  const std::vector<std::string> names = description.names_for_steps(variant);
  const Value& function = keys.need("function", "function = \"saxpy<T>\"");
  to->function = text_of(function, "the function of " + variant.name);
  to->function_place = inside(function);
  to->arguments =
      arguments_of(description, variant, keys.need("arguments", "the function's arguments, in its order"));
  if (const Value* result = keys.find("result")) to->result = result_of(description, variant, *result);
  read_launch(keys, names, variant, to);
  if (const Value* repeat = keys.find("repeat"))
    to->repeat = expression_of(*repeat, description.names_for(variant), "repeat");
  to->swapped = swapped_of(description, keys, !to->repeat.empty());
}

// Reads the list `steps` of a variant. Each step names a function, so the variant itself must not name one.
void read_steps(const Description& description, const Keys& keys, const Value& steps, DescribedVariant* to) {
  for (const char* key : {"function", "arguments", "result", "block", "grid", "shared"})
    if (const Value* value = keys.find(key))
      refuse(value->place,
             "the variant has steps, so `" + std::string(key) + "` belongs into each entry of `steps`");
  const std::vector<Value>& list = list_of(steps, "steps");
  if (list.empty() || list.size() > most_steps) refuse(steps.place, "`steps` must have 1 to 64 entries");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Keys step(list[i], "a step",
                    {"function", "arguments", "result", "block", "grid", "shared", "repeat", "swap"});
    DescribedStep described;
    read_step(description, step, *to, &described);
    if (i == 0)
      static_cast<DescribedStep&>(*to) = std::move(described);
    else
      to->later.push_back(std::move(described));
  }
  if (const Value* repeat = keys.find("repeat"))
    to->rounds = expression_of(*repeat, description.names_for(*to), "repeat");
  to->round_swapped = swapped_of(description, keys, !to->rounds.empty());
}

void read_temporaries(const Description& description, const Value& list, DescribedVariant* to) {
  constexpr std::size_t most = 16;
  for (const Value& one : list_of(list, "temporaries")) {
    const Keys keys(one, "a temporary array", {"name", "length", "type"});
    DescribedArray array;
    const Value& name = keys.need("name", "name = \"sums\"");
    array.name = text_of(name, "the name of a temporary array");
    array.place = inside(name);
    check_name(description, array.name, array.place, "an array");
    if (array_named(description, *to, array.name) >= 0)
      refuse(array.place, "two arrays have the name " + array.name);
    array.role = Role::inout;
    array.type = array_type(one, array.name);
    array.length = expression_of(keys.need("length", "length = \"n\""), description.names_for(*to),
                                 "the length of " + array.name);
    to->temporaries.push_back(std::move(array));
  }
  if (to->temporaries.size() > most) refuse(list.place, "`temporaries` has more than 16 arrays");
}

}  // namespace

DescribedVariant read_variant(const Description& description, const std::string& name, const Place& place,
                              const Value& value, const Compilation& for_all) {
  DescribedVariant variant;
  variant.name = name;
  variant.place = place;
  variant.model = model_of(name, place);
  const Keys keys(value, "a variant",
                  {"function", "arguments",  "result", "description", "block",   "grid",        "shared",
                   "tune",     "constraint", "files",  "include",     "options", "defines",     "compiler",
                   "prepare",  "constants",  "repeat", "swap",        "steps",   "temporaries", "launcher"});
  read_launcher(keys, &variant);
  if (const Value* text = keys.find("description")) variant.description = text_of(*text, "description");
  if (const Value* tune = keys.find("tune")) read_tunables(description, *tune, &variant);
  if (const Value* list = keys.find("temporaries")) read_temporaries(description, *list, &variant);
  if (const Value* steps = keys.find("steps"))
    read_steps(description, keys, *steps, &variant);
  else
    read_step(description, keys, variant, &variant);
  if (const Value* constraint = keys.find("constraint"))
    read_constraints(description.names_for(variant), *constraint, &variant);
  read_rest(description, keys, &variant);
  variant.compilation = compilation_of(keys, for_all);
  variant.compilation.nvcc = variant.compilation.nvcc || variant.launcher;
  if (const Value* compiler = keys.find("compiler"); compiler && variant.model != Model::cuda)
    refuse(compiler->place, "compiler applies to CUDA only, and " + name + " is not a CUDA variant");
  if (variant.compilation.nvcc)
    for (const DescribedConstant& one : variant.constants)
      if (!is_identifier(one.symbol))
        refuse(place, "the constant " + one.symbol +
                          " is in a namespace, so code that nvcc compiled does not contain its name");
  return variant;
}

}  // namespace sextant::own
