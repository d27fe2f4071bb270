// Reads T1 files of the auto-tuning community (BAT, KTT, Kernel Tuner): one CUDA kernel with fixed sizes.
#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

#include "base/error.hpp"
#include "own/description/description_reader.hpp"
#include "own/description/python_values.hpp"

namespace sextant::own {
namespace {

constexpr std::size_t longest_expression = 4096;  // longest expression that is accepted, in characters

struct Reader {
  const Value& tree;
  Description description;
  DescribedVariant variant;
  std::int64_t elements = 0;
  std::vector<std::int64_t> problem_size = {};

  [[noreturn]] void refused(const std::string& message) const {
    throw UserError(description.file + ": " + message);
  }

  const Value& need(const Value& table, const char* key) const {
    const Value* value = table.find(key);
    if (!value) refused(std::string("the file has no key ") + key);
    return *value;
  }
  std::string text(const Value& table, const char* key) const {
    const Value* value = table.find(key);
    return value && value->kind == Value::Kind::text ? value->text : "";
  }

  std::string resolved(const std::string& text) const;
  std::vector<Value> values_of(const std::string& name, const Value& value) const;
  std::int64_t size_of(const Value& value, const std::string& array) const;
  void read_problem_size();
  void read_parameters();
  void read_conditions();
  void read_arguments();
  void read_array(const Value& argument, const std::string& name);
  void read_scalar(const Value& argument, const std::string& name);
  Fill fill(const Value& argument, const std::string& name) const;
  Expression expression(const std::string& text, const std::string& what) const {
    return Expression(resolved(text), description.names_for(variant), what, {description.file},
                      Dialect::python);
  }
  std::vector<Expression> three(const Value& table, const char* key) const;
  std::vector<Expression> divided_grid(const Value& kernel) const;
  void read_launch();
};

// Replaces the name ProblemSize in `text`, which may be an expression, by the problem's sizes.
std::string Reader::resolved(const std::string& text) const {
  static const std::regex name(R"(\bProblemSize\b(\s*\[\s*(\d{1,3})\s*\])?)");
  if (text.size() > longest_expression || text.find("ProblemSize") == std::string::npos) return text;
  std::string result;
  auto rest = text.cbegin();
  for (std::sregex_iterator one(text.begin(), text.end(), name), none; one != none; ++one) {
    const std::size_t index = (*one)[2].matched ? std::stoul((*one)[2].str()) : 0;
    if (index >= problem_size.size() || (!(*one)[1].matched && problem_size.size() != 1))
      refused(one->str() + " is used, but ProblemSize has " + std::to_string(problem_size.size()) +
              " numbers");
    result.append(rest, text.cbegin() + one->position());
    result += std::to_string(problem_size[index]);
    rest = text.cbegin() + one->position() + one->length();
  }
  return result.append(rest, text.cend());
}

void Reader::read_problem_size() {
  const Value* value = need(tree, "KernelSpecification").find("ProblemSize");
  if (!value) return;
  if (value->kind != Value::Kind::list) {
    problem_size = {whole_of(*value, "ProblemSize")};
    return;
  }
  for (const Value& one : value->list) problem_size.push_back(whole_of(one, "each of ProblemSize"));
}

std::vector<Value> Reader::values_of(const std::string& name, const Value& value) const {
  if (value.kind == Value::Kind::list) return value.list;
  if (value.kind != Value::Kind::text) refused("the Values of " + name + " are not a list");
  return python_values(resolved(value.text), "the values of " + name, {description.file});
}

// Evaluates the value of the key Size, which is a number or an expression. The expression may use
// ProblemSize, and max(NAME) and min(NAME), the extremes of a tunable's values.
std::int64_t Reader::size_of(const Value& value, const std::string& array) const {
  if (value.kind == Value::Kind::whole) return value.whole;
  std::string text = resolved(text_of(value, "Size"));
  for (const DescribedTunable& one : variant.tunables) {
    if (!one.texts.empty() || text.size() > longest_expression) continue;
    const auto [least, most] = std::minmax_element(one.choices.begin(), one.choices.end());
    const std::string call = R"(\(\s*)" + one.name + R"(\s*\))";
    text = std::regex_replace(text, std::regex(R"(\bmax)" + call), std::to_string(*most));
    text = std::regex_replace(text, std::regex(R"(\bmin)" + call), std::to_string(*least));
  }
  return Expression(text, {}, "the Size of " + array, {description.file}, Dialect::python).at({});
}

void Reader::read_parameters() {
  const Value& space = need(tree, "ConfigurationSpace");
  for (const Value& one : list_of(need(space, "TuningParameters"), "TuningParameters")) {
    const std::string name = text_of(need(one, "Name"), "Name");
    check_name(description, name, {description.file}, "a tunable");
    DescribedTunable tunable =
        tunable_of(name, {description.file}, values_of(name, need(one, "Values")), false);
    if (const Value* preferred = one.find("Default");
        preferred && preferred->kind == Value::Kind::whole && tunable.texts.empty()) {
      if (std::find(tunable.choices.begin(), tunable.choices.end(), preferred->whole) ==
          tunable.choices.end())
        refused("the Default of " + name + " is not one of its Values");
      tunable.preferred = static_cast<int>(preferred->whole);
    }
    variant.tunables.push_back(std::move(tunable));
  }
}

// Reads the conditions on tunings. Call it after read_arguments, because conditions may use the arguments'
// sizes and scalars.
void Reader::read_conditions() {
  const Value* conditions = need(tree, "ConfigurationSpace").find("Conditions");
  if (!conditions) return;
  for (const Value& one : list_of(*conditions, "Conditions")) {
    const std::string condition = text_of(need(one, "Expression"), "Expression");
    variant.constraints.push_back({expression(condition, "the condition"), "not " + condition});
  }
}

Fill Reader::fill(const Value& argument, const std::string& name) const {
  const std::string kind = text(argument, "FillType");
  const Value* value = argument.find("FillValue");
  const double number = value ? value->number : 0;
  const auto constant = [&](double of) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", of);
    return Expression(text, description.size_names(), "the fill of " + name, {description.file});
  };
  Fill fill;
  if (kind == "Random") {  // uniform between 0 and FillValue
    if (number > 0) fill = {Fill::Kind::between, constant(0), constant(number)};
  } else if (kind == "Constant" || kind.empty()) {
    fill = {Fill::Kind::between, constant(number), constant(number)};
  } else if (kind == "BinaryRaw") {
    fill = {Fill::Kind::file, {}, {}, text_of(need(argument, "DataSource"), "DataSource")};
  } else {
    refused("the argument " + name + " is filled by " + kind +
            ", which is not supported. Use Random, Constant or BinaryRaw.");
  }
  return fill;
}

void Reader::read_array(const Value& argument, const std::string& name) {
  static constexpr std::array<std::pair<const char*, ElementType>, 5> types = {
      {{"float", ElementType::float32},
       {"double", ElementType::float64},
       {"int32", ElementType::int32},
       {"int", ElementType::int32},
       {"uint32", ElementType::int32}}};
  std::string type = text(argument, "Type");
  std::int64_t width = 1;
  if (!type.empty() && (type.starts_with("float") || type.starts_with("double")) &&
      std::string("248").find(type.back()) != std::string::npos) {
    width = type.back() - '0';
    type.pop_back();
  }
  const auto known =
      std::find_if(types.begin(), types.end(), [&](const auto& one) { return one.first == type; });
  if (known == types.end())
    refused("the array " + name + " has the type " + type +
            ", which is not supported. Use float, double or int32.");
  if (description.types.empty()) description.types = {known->second};
  if (description.types[0] != known->second)
    refused("the arrays have different types, which is not supported. The array " + name +
            " has another type than the first one.");
  DescribedArray array;
  array.name = name;
  array.place = {description.file};
  const std::string access = text(argument, "AccessType");
  array.role = access == "WriteOnly" ? Role::out : access == "ReadWrite" ? Role::inout : Role::in;
  const std::int64_t size = size_of(need(argument, "Size"), name);
  std::int64_t length = 0;
  if (size < 1 || __builtin_mul_overflow(size, width, &length) ||
      __builtin_add_overflow(elements, length, &elements))
    refused("the array " + name + " has no Size");
  array.length = Expression(std::to_string(length), description.size_names(), "the length of " + name,
                            {description.file});
  if (array.role != Role::out) array.fill = fill(argument, name);
  description.arrays.push_back(std::move(array));
}

void Reader::read_scalar(const Value& argument, const std::string& name) {
  static constexpr std::array<std::pair<const char*, const char*>, 8> casts = {{{"int32", "int"},
                                                                                {"int", "int"},
                                                                                {"uint32", "unsigned"},
                                                                                {"int64", "int64_t"},
                                                                                {"uint64", "uint64_t"},
                                                                                {"float", "float"},
                                                                                {"double", "double"},
                                                                                {"bool", "int"}}};
  const std::string type = text(argument, "Type");
  const auto known =
      std::find_if(casts.begin(), casts.end(), [&](const auto& one) { return type == one.first; });
  if (known == casts.end() || type == "bool")
    refused("the scalar " + name + " has the type " + type + ", which is not supported");
  DescribedArgument described;
  described.kind = DescribedArgument::Kind::scalar;
  described.text = name;
  described.place = {description.file};
  described.cast = known->second;
  described.index = static_cast<int>(description.scalars.size());
  description.scalars.push_back({name, number_of(need(argument, "FillValue"), "FillValue")});
  variant.arguments.push_back(std::move(described));
}

void Reader::read_arguments() {
  const Value& kernel = need(tree, "KernelSpecification");
  for (const Value& one : list_of(need(kernel, "Arguments"), "Arguments")) {
    const std::string memory = text(one, "MemoryType");
    std::string name = text(one, "Name");
    if (name.empty())
      name = "argument" + std::to_string(1 + description.arrays.size() + description.scalars.size());
    check_name(description, name, {description.file}, "an argument");
    if (memory == "Scalar") {
      read_scalar(one, name);
      continue;
    }
    if (memory != "Vector" && memory != "Symbol")
      refused("the argument " + name + " has the MemoryType " + memory +
              ", which is not supported. Use Vector, Scalar or Symbol.");
    read_array(one, name);
    const auto index = static_cast<int>(description.arrays.size()) - 1;
    if (memory == "Symbol" || text(one, "MemType") == "Constant") {
      variant.constants.push_back({name, index});
      continue;
    }
    DescribedArgument described;
    described.text = name;
    described.place = {description.file};
    described.index = index;
    variant.arguments.push_back(std::move(described));
  }
  if (std::all_of(description.arrays.begin(), description.arrays.end(),
                  [](const auto& one) { return one.role == Role::in; }))
    refused("no argument is WriteOnly or ReadWrite, so there is no result to check");
}

std::vector<Expression> Reader::three(const Value& table, const char* key) const {
  std::vector<Expression> parts;
  for (const char* axis : {"X", "Y", "Z"}) {
    const Value* value = need(table, key).find(axis);
    if (!value) break;
    const std::string what = std::string(key) + "." + axis;
    parts.push_back(value->kind == Value::Kind::text
                        ? expression(value->text, what)
                        : expression_of(*value, description.names_for(variant), what, Dialect::python));
  }
  if (parts.empty()) refused(std::string(key) + " has no X");
  return parts;
}

// Returns the grid as Kernel Tuner computes it: ProblemSize divided by the product of an axis' GridDiv
// expressions. An axis without GridDiv uses its block size as the divisor. Empty if the file has no GridDiv.
std::vector<Expression> Reader::divided_grid(const Value& kernel) const {
  static constexpr std::array<std::pair<const char*, const char*>, 3> axes = {
      {{"GridDivX", "block_size_x"}, {"GridDivY", "block_size_y"}, {"GridDivZ", "block_size_z"}}};
  const auto divisors = [&](const char* key) {
    const Value* value = kernel.find(key);
    return value ? texts_of(*value, key) : std::vector<std::string>();
  };
  if (problem_size.empty() ||
      std::none_of(axes.begin(), axes.end(), [&](const auto& axis) { return !divisors(axis.first).empty(); }))
    return {};
  std::vector<Expression> parts;
  for (std::size_t i = 0; i < std::min(problem_size.size(), axes.size()); ++i) {
    const auto& [key, block] = axes[i];
    std::string product = "1";
    for (const std::string& one : divisors(key)) product += " * (" + one + ")";
    const bool tuned = std::any_of(variant.tunables.begin(), variant.tunables.end(),
                                   [&](const DescribedTunable& one) { return one.name == axes[i].second; });
    if (product == "1" && tuned) product = block;
    parts.push_back(expression("ceil(" + std::to_string(problem_size[i]) + " / (" + product + "))", key));
  }
  return parts;
}

void Reader::read_launch() {
  const Value& kernel = need(tree, "KernelSpecification");
  const std::string language = text_of(need(kernel, "Language"), "Language");
  if (language != "CUDA") refused("the Language is " + language + ", which is not supported. Use CUDA.");
  for (const char* key : {"SimulationInput", "ReferenceArguments", "ReferenceKernel"})
    if (kernel.find(key))
      refused(std::string(key) +
              " is not supported. Name a reference function with --reference FILE:FUNCTION.");
  variant.function = text_of(need(kernel, "KernelName"), "KernelName");
  variant.function_place = {description.file};
  variant.compilation.files = {text_of(need(kernel, "KernelFile"), "KernelFile")};
  if (const Value* options = kernel.find("CompilerOptions"))
    variant.compilation.options = texts_of(*options, "CompilerOptions");
  variant.block = three(kernel, "LocalSize");
  variant.grid = divided_grid(kernel);
  const bool divided = !variant.grid.empty();
  if (!divided) variant.grid = three(kernel, "GlobalSize");
  // GlobalSize counts threads, as in OpenCL. CUDA's grid counts blocks.
  if (!divided && text(kernel, "GlobalSizeType") != "CUDA")
    for (std::size_t i = 0; i < variant.grid.size(); ++i)
      if (i < variant.block.size())
        variant.grid[i] =
            expression("(" + variant.grid[i].text() + ") // (" + variant.block[i].text() + ")", "GlobalSize");
  if (const Value* shared = kernel.find("SharedMemory");
      shared && shared->kind == Value::Kind::whole && shared->whole > 0)
    variant.shared = expression(std::to_string(shared->whole), "SharedMemory");
}

// Converts "GEMM-CAFF" to "gemm_caff".
std::string kernel_name(const std::string& text) {
  std::string name;
  for (const char c : text)
    name += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '_';
  return is_identifier(name) ? name : "kernel_" + name.substr(0, 50);
}

}  // namespace

Description description_t1(const std::string& json, const std::string& file) {
  const Value tree = parse_json(json, file);
  Reader reader{tree, {}, {}, 0, {}};
  reader.description.file = file;
  if (tree.kind != Value::Kind::table)
    reader.refused("the JSON value is not an object, so this is not a T1 file");
  const Value* general = tree.find("General");
  const std::string named = general ? reader.text(*general, "BenchmarkName") : "";
  const Value& kernel = reader.need(tree, "KernelSpecification");
  reader.description.name = kernel_name(named.empty() ? reader.text(kernel, "KernelName") : named);
  reader.variant.name = "cuda.t1";
  reader.variant.model = Model::cuda;
  reader.variant.place = {file};
  reader.read_problem_size();
  reader.read_parameters();
  reader.read_arguments();
  reader.read_conditions();
  reader.read_launch();
  reader.description.default_sizes = {reader.elements};
  reader.description.variants = {std::move(reader.variant)};
  check_expressions(reader.description);
  return reader.description;
}

}  // namespace sextant::own
