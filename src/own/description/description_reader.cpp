#include "own/description/description_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "base/join.hpp"
#include "base/nearest.hpp"
#include "suite/element.hpp"

namespace sextant::own {
namespace {

constexpr int most_sizes = 16, most_arrays = 16;

template <typename Enum, std::size_t count>
Enum named(const Value& value, const std::string& what,
           const std::array<std::pair<const char*, Enum>, count>& all) {
  const std::string& text = text_of(value, what);
  std::vector<std::string> names;
  for (const auto& [name, meaning] : all) {
    if (text == name) return meaning;
    names.emplace_back(name);
  }
  refuse(value.place, what + " cannot be \"" + text + "\". Valid values are " + join(names) + "." +
                          did_you_mean(text, names));
}

ElementType type_of(const Value& value, const std::string& what) {
  static constexpr std::array<std::pair<const char*, ElementType>, 3> all = {
      {{"float", ElementType::float32}, {"double", ElementType::float64}, {"int", ElementType::int32}}};
  return named(value, what, all);
}

void read_name(const Keys& keys, Description* to) {
  const Value& name = keys.need("name", "name = \"saxpy\"");
  to->name = text_of(name, "name");
  const bool good = is_identifier(to->name) && std::none_of(to->name.begin(), to->name.end(),
                                                            [](unsigned char c) { return std::isupper(c); });
  if (!good)
    refuse(inside(name),
           "\"" + to->name + "\" is not a valid kernel name. Use a-z, 0-9 and _, and begin with a letter.");
  if (const Value* formula = keys.find("formula")) to->formula = text_of(*formula, "formula");
  if (const Value* group = keys.find("group")) to->group = text_of(*group, "group");
}

void read_sizes(const Keys& keys, Description* to) {
  if (const Value* shape = keys.find("shape")) {
    const std::vector<Value>& names = list_of(*shape, "shape");
    if (names.empty() || names.size() > 3)
      refuse(shape->place,
             "`shape` must name one to three extents. The extent of neighbouring elements comes first.");
    for (const Value& one : names) {
      check_name(*to, text_of(one, "each of shape"), inside(one), "an extent");
      to->shape.push_back(one.text);
    }
  }
  const Value* sizes = keys.find("sizes");
  if (!sizes) return;
  if (sizes->kind != Value::Kind::table)
    refuse(sizes->place, "`sizes` must be a table, such as sizes = { n = \"N / 2\" }");
  if (sizes->members.size() > most_sizes) refuse(sizes->place, "`sizes` has more than 16 entries");
  for (const Member& one : sizes->members) {
    check_name(*to, one.key, one.place, "a size");
    to->sizes.push_back({one.key, expression_of(one.value, to->size_names(), one.key)});
  }
}

void read_types(const Keys& keys, Description* to) {
  const Value* types = keys.find("types");
  if (types)
    for (const Value& one : list_of(*types, "types")) {
      const ElementType type = type_of(one, "each of types");
      if (std::find(to->types.begin(), to->types.end(), type) != to->types.end())
        refuse(one.place, std::string("`types` has ") + name_of(type) + " twice");
      to->types.push_back(type);
    }
  if (types && to->types.empty())
    refuse(types->place, "`types` is empty. Write at least one type, such as types = [\"float\"].");
}

// Chooses the type that the type parameter T stands for if the key `types` is missing. This is the first
// float or double among the array types, or int if there is none. Arrays of that type then have type T.
void choose_type(const Keys& keys, Description* to) {
  for (const DescribedArray& one : to->arrays)
    if (!one.type)
      refuse(keys.place(),
             "the array " + one.name +
                 " has no type. Add types = [\"float\"] for the kernel, or a type to each array.");
  to->types = {ElementType::int32};
  const auto real = std::find_if(to->arrays.begin(), to->arrays.end(), [](const DescribedArray& one) {
    return one.type->element == ElementType::float32 || one.type->element == ElementType::float64;
  });
  if (real != to->arrays.end()) to->types = {real->type->element};
  for (DescribedArray& one : to->arrays)
    if (one.type->element == to->types.front() && one.type->members == 1) one.type.reset();
}

void read_arrays(const Keys& keys, Description* to) {
  static constexpr std::array<std::pair<const char*, Role>, 3> roles = {
      {{"in", Role::in}, {"out", Role::out}, {"inout", Role::inout}}};
  const Value& arrays = keys.need("arrays", "arrays = [ { name = \"x\", role = \"in\", length = \"n\" } ]");
  for (const Value& one : list_of(arrays, "arrays")) {
    const Keys array(one, "an array", {"name", "role", "length", "fill", "type"});
    DescribedArray described;
    const Value& name = array.need("name", "name = \"x\"");
    described.name = text_of(name, "the name of an array");
    described.place = inside(name);
    check_name(*to, described.name, described.place, "an array");
    described.role = named(array.need("role", "role = \"in\", \"out\" or \"inout\""),
                           "the role of " + described.name, roles);
    described.length = expression_of(array.need("length", "length = \"n\""), to->size_names(),
                                     "the length of " + described.name);
    if (const Value* fill = array.find("fill"))
      described.fill = fill_of(*fill, described.name, to->size_names());
    if (array.find("fill") && described.role == Role::out)
      refuse(array.find("fill")->place,
             described.name + " is an output, and outputs are not filled. Leave its key `fill` out.");
    described.type = array_type(one, described.name);
    to->arrays.push_back(std::move(described));
  }
  if (to->arrays.empty() || to->arrays.size() > most_arrays)
    refuse(arrays.place, "`arrays` must have 1 to 16 entries");
  if (std::all_of(to->arrays.begin(), to->arrays.end(), [](const auto& one) { return one.role == Role::in; }))
    refuse(arrays.place, "no array has the role \"out\" or \"inout\", so there is no result to check");
  if (to->types.empty()) choose_type(keys, to);
}

void read_scalars(const Keys& keys, Description* to) {
  const Value* scalars = keys.find("scalars");
  if (!scalars) return;
  if (scalars->kind != Value::Kind::table)
    refuse(scalars->place, "`scalars` must be a table, such as scalars = { a = 2.5 }");
  for (const Member& one : scalars->members) {
    check_name(*to, one.key, one.place, "a scalar");
    to->scalars.push_back({one.key, number_of(one.value, one.key)});
  }
}

void read_work(const Keys& keys, Description* to) {
  const Value* value = keys.find("work");
  if (!value) return;
  const Keys work(*value, "work", {"flops", "integers", "items"});
  if (const Value* flops = work.find("flops")) to->flops = expression_of(*flops, to->size_names(), "flops");
  if (const Value* integers = work.find("integers"))
    to->integers = expression_of(*integers, to->size_names(), "integers");
  if (const Value* items = work.find("items")) to->items = expression_of(*items, to->size_names(), "items");
}

void read_tolerance(const Keys& keys, Description* to) {
  if (!keys.find("tolerance") && (!to->has_floating_results() || !keys.find("reference"))) return;
  const Value& value = keys.need(
      "tolerance",
      "the allowed difference from the reference and its reason, e.g. tolerance = { relative = 1e-6, "
      "reason = \"one multiply-add\" }; an expression such as \"4 * eps * log2(n)\" also works");
  const Keys tolerance(value, "tolerance", {"absolute", "relative", "outliers", "reason"});
  DescribedTolerance described;
  std::vector<std::string> names = to->size_names();
  names.emplace_back("eps");
  if (const Value* absolute = tolerance.find("absolute"))
    described.absolute = expression_of(*absolute, names, "the absolute tolerance");
  if (const Value* relative = tolerance.find("relative"))
    described.relative = expression_of(*relative, names, "the relative tolerance");
  if (const Value* outliers = tolerance.find("outliers")) {
    constexpr double most = 1e-3;
    described.outliers = number_of(*outliers, "outliers");
    if (!(described.outliers >= 0 && described.outliers <= most))
      refuse(
          outliers->place,
          "`outliers` is the fraction of results that may exceed the tolerance. It must be from 0 to 0.001.");
  }
  if (described.absolute.empty() && described.relative.empty() && described.outliers == 0)
    refuse(value.place, "`tolerance` needs at least one of the keys absolute, relative and outliers");
  described.reason = text_of(tolerance.need("reason", "reason = \"one multiply-add\""), "the reason");
  to->tolerance = std::move(described);
}

void read_traits(const Keys& keys, Description* to) {
  const Value* value = keys.find("traits");
  if (!value) return;
  const Keys known(*value, "traits", {"loads", "stores", "stride", "divergence"});
  for (const Member& one : value->members) to->traits.push_back({one.key, number_of(one.value, one.key)});
}

void read_variants(const Keys& keys, const Compilation& for_all, Description* to) {
  const std::string hint = "[variant.\"serial.plain\"] with a function and its arguments";
  const Value& variants = keys.need("variant", hint);
  if (variants.kind != Value::Kind::table || variants.members.empty())
    refuse(variants.place, "the description has no variant. Add " + hint + ".");
  for (const Member& one : variants.members)
    to->variants.push_back(read_variant(*to, one.key, one.place, one.value, for_all));
}

// Returns the name of the reference variant. Throws UserError unless it is a host variant.
std::string reference_variant(const Value& name, const Description& description) {
  std::vector<std::string> hosts;
  bool known = false;
  for (const DescribedVariant& one : description.variants) {
    if (one.model != Model::cuda) hosts.push_back(one.name);
    known = known || one.name == name.text;
  }
  if (!known)
    refuse(inside(name), "the reference \"" + name.text + "\" is not a variant of this file." +
                             did_you_mean(name.text, hosts));
  if (std::find(hosts.begin(), hosts.end(), name.text) == hosts.end())
    refuse(inside(name), "the reference must run on the host in double precision, so it cannot be " +
                             name.text + ". Name a serial variant or a file.");
  return name.text;
}

// Returns true if the reference runs in float instead of double precision. That is necessary if its code uses
// float. Its rounding then adds to the error.
bool is_in_float(const Keys& reference, const Description& description) {
  const Value* precision = reference.find("precision");
  if (!precision) return false;
  const std::string& text = text_of(*precision, "precision");
  if (text != "float" && text != "double")
    refuse(inside(*precision),
           "`precision` must be \"double\" (the default) or \"float\", not \"" + text + "\"");
  if (text == "float" && description.types != std::vector<ElementType>{ElementType::float32})
    refuse(inside(*precision),
           "a reference with precision = \"float\" is possible only for a kernel with types = [\"float\"]");
  return text == "float";
}

void read_reference(const Keys& keys, const Compilation& for_all, Description* to) {
  // Without this key, the command line may name a reference or allow an unchecked kernel.
  if (!keys.find("reference")) return;
  const Value& value = *keys.find("reference");
  DescribedReference reference;
  if (value.kind == Value::Kind::text) {
    reference.variant = reference_variant(value, *to);
    to->reference = std::move(reference);
    return;
  }
  const Keys table(
      value, "reference",
      {"variant", "file", "function", "arguments", "include", "options", "defines", "precision"});
  reference.in_float = is_in_float(table, *to);
  if (const Value* variant = table.find("variant")) {
    (void)text_of(*variant, "the reference's variant");
    reference.variant = reference_variant(*variant, *to);
    to->reference = std::move(reference);
    return;
  }
  DescribedVariant& function = reference.function;
  function.name = "serial.reference";
  function.place = value.place;
  const Value& name = table.need("function", "function = \"saxpy_reference\"");
  function.function = text_of(name, "the reference's function");
  function.function_place = inside(name);
  function.compilation = compilation_of(table, {{}, for_all.include, for_all.options, for_all.defines});
  if (const Value* file = table.find("file"))
    function.compilation.files = {text_of(*file, "the reference's file")};
  function.arguments =
      arguments_of(*to, function, table.need("arguments", "the function's arguments, in its order"));
  to->reference = std::move(reference);
}

}  // namespace

namespace {

// Reads a user-defined struct: its name, and its members, which all have the same type.
ArrayType struct_type(const Value& value, const std::string& name) {
  const Keys keys(value, "a struct", {"struct", "member", "members"});
  const std::string what = "the type of " + name;
  const Value& member = keys.need("member", "member = \"float\"");
  const Value& members = keys.need("members", "members = 3");
  const std::optional<ArrayType> type = array_type_named(text_of(member, what));
  if (!type || type->members > 1)
    refuse(inside(member), what + " must have members of a number type, such as float or int");
  if (members.kind != Value::Kind::whole || members.whole < 1 || members.whole > 65'536)
    refuse(members.place, what + " must have 1 to 65536 members");
  return {type->element, static_cast<int>(members.whole),
          text_of(keys.need("struct", "struct = \"Particle\""), what)};
}

}  // namespace

std::optional<ArrayType> array_type(const Value& array, const std::string& name) {
  const Value* value = array.find("type");
  if (!value) return {};
  if (value->kind == Value::Kind::table) return struct_type(*value, name);
  const std::string& text = text_of(*value, "the type of " + name);
  if (text == "T") return {};
  std::optional<ArrayType> type = array_type_named(text);
  if (!type)
    refuse(inside(*value), "the type of the array " + name + " cannot be \"" + text +
                               "\". Valid types are T, " + array_type_names());
  return type;
}

bool is_identifier(const std::string& text) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && text.size() <= 64 && letter(text[0]) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)); });
}

int array_named(const Description& description, const DescribedVariant& variant, const std::string& name) {
  if (const int index = array_named(description, name); index >= 0) return index;
  for (std::size_t i = 0; i < variant.temporaries.size(); ++i)
    if (variant.temporaries[i].name == name) return static_cast<int>(description.arrays.size() + i);
  return -1;
}

int array_named(const Description& description, const std::string& name) {
  for (std::size_t i = 0; i < description.arrays.size(); ++i)
    if (description.arrays[i].name == name) return static_cast<int>(i);
  return -1;
}

void check_name(const Description& description, const std::string& name, const Place& place,
                const std::string& what) {
  if (!is_identifier(name))
    refuse(place, "\"" + name + "\" is not a valid name of " + what +
                      ". Use letters, digits and _, and begin with a letter.");
  for (const char* reserved : {"N", "T", "eps", "and", "or", "not", "true", "false"})
    if (name == reserved)
      refuse(place, "\"" + name + "\" is a reserved word and cannot be the name of " + what +
                        ". Choose another name.");
  std::vector<std::string> taken = description.size_names();
  for (const DescribedArray& one : description.arrays) taken.push_back(one.name);
  for (const NamedNumber& one : description.scalars) taken.push_back(one.name);
  if (std::find(taken.begin(), taken.end(), name) != taken.end())
    refuse(place,
           "\"" + name + "\" is used twice. Sizes, arrays, scalars and tunables must have different names.");
}

Expression expression_of(const Value& value, const std::vector<std::string>& names, const std::string& what,
                         Dialect dialect) {
  if (value.kind == Value::Kind::whole)
    return Expression(std::to_string(value.whole), names, what, value.place, dialect);
  if (value.kind == Value::Kind::number) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value.number);
    return Expression(text, names, what, value.place, dialect);
  }
  if (value.kind != Value::Kind::text)
    refuse(value.place, what + " must be a number or an expression in quotes");
  return Expression(value.text, names, what, inside(value), dialect);
}

// Reads an entry such as "unsigned short[2]" of the key `members`. The type "pad" stands for bytes that are
// zero.
Fill::Members members_of(const Value& value, const std::string& what) {
  std::string text = text_of(value, what);
  Fill::Members members;
  if (const std::size_t at = text.find('['); at != std::string::npos && text.ends_with(']')) {
    const std::string count = text.substr(at + 1, text.size() - at - 2);
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), members.count);
    if (error != std::errc() || end != count.data() + count.size() || members.count < 1)
      refuse(inside(value), what + " has a member with the count \"" + count +
                                "\". Write a positive number, such as \"float[2]\".");
    text.resize(at);
  }
  if (text == "pad") return members;
  const std::optional<ArrayType> type = array_type_named(text);
  if (!type || type->members > 1)
    refuse(inside(value), what + " has a member of type \"" + text +
                              "\". Write the type of a number, or \"pad\" for bytes that are zero.");
  members.type = type->element;
  members.truth = text == "bool";
  members.bytes = static_cast<std::int64_t>(element_size(type->element));
  return members;
}

// Reads { members = ["float", "int[3]"], high = "n", positive = true }.
Fill fill_of_members(const Keys& keys, const std::string& what, const std::vector<std::string>& names) {
  Fill fill;
  fill.kind = Fill::Kind::members;
  for (const Value& one : list_of(*keys.find("members"), "members"))
    fill.members.push_back(members_of(one, what));
  if (const Value* high = keys.find("high")) fill.high = expression_of(*high, names, "high");
  if (const Value* positive = keys.find("positive")) fill.positive = truth_of(*positive, "positive");
  return fill;
}

Fill fill_of(const Value& value, const std::string& array, const std::vector<std::string>& names) {
  const std::string what = "the fill of " + array;
  Fill fill;
  if (value.kind == Value::Kind::table) {
    const Keys keys(value, what,
                    {"low", "high", "sorted", "offsets", "distinct", "links", "members", "positive"});
    if (keys.find("members")) return fill_of_members(keys, what, names);
    for (const auto& [key, kind] :
         {std::pair("offsets", Fill::Kind::offsets), std::pair("distinct", Fill::Kind::distinct),
          std::pair("links", Fill::Kind::links)})
      if (const Value* most = keys.find(key)) {
        if (value.members.size() > 1)
          refuse(value.place,
                 what + " combines the key `" + key + "` with other keys, which is not possible");
        fill.kind = kind;
        fill.high = expression_of(*most, names, key);
        return fill;
      }
    fill.kind = Fill::Kind::between;
    if (const Value* sorted = keys.find("sorted"))
      fill.kind = truth_of(*sorted, "sorted") ? Fill::Kind::sorted : Fill::Kind::between;
    const Value &low = keys.need("low", "{ low = 0, high = 1 }"),
                &high = keys.need("high", "{ low = 0, high = 1 }");
    fill.low = expression_of(low, names, "low");
    fill.high = expression_of(high, names, "high");
    if (low.kind != Value::Kind::text && high.kind != Value::Kind::text &&
        !(number_of(low, "low") <= number_of(high, "high")))
      refuse(value.place, what + " has a `low` above its `high`");
    return fill;
  }
  const std::string& text = text_of(value, what);
  if (text == "uniform") return fill;
  const std::vector<std::pair<std::string, Fill::Kind>> kinds = {
      {"zero", Fill::Kind::zero}, {"index", Fill::Kind::index}, {"permutation", Fill::Kind::permutation}};
  for (const auto& [name, kind] : kinds)
    if (text == name) {
      fill.kind = kind;
      return fill;
    }
  if (!text.ends_with(".bin"))
    refuse(inside(value), what +
                              " must be \"uniform\", \"zero\", \"index\", \"permutation\", the name of a "
                              "file that ends with .bin, or a table with the keys low and high (with sorted "
                              "= true if needed), distinct, offsets, links or members. It cannot be \"" +
                              text + "\"." + did_you_mean(text, {"uniform", "zero", "index", "permutation"}));
  fill.kind = Fill::Kind::file;
  fill.file = text;
  return fill;
}

Description read_description_tree(const Value& tree, const std::string& file) {
  const Keys keys(
      tree, "a description",
      {"name", "group", "formula", "types", "sizes", "shape", "arrays", "scalars", "work", "reference",
       "tolerance", "variant", "files", "include", "options", "defines", "compiler", "traits"});
  Description description;
  description.file = file;
  read_name(keys, &description);
  read_sizes(keys, &description);
  read_types(keys, &description);
  read_arrays(keys, &description);
  read_scalars(keys, &description);
  read_work(keys, &description);
  read_tolerance(keys, &description);
  read_traits(keys, &description);
  const Compilation for_all = compilation_of(keys, {});
  read_variants(keys, for_all, &description);
  read_reference(keys, for_all, &description);
  check_expressions(description);
  return description;
}

}  // namespace sextant::own
