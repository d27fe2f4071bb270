#include "predict/form_file.hpp"

#include <cmath>
#include <filesystem>

#include "own/description/tree.hpp"

namespace sextant::predict {
namespace {

using own::Keys;
using own::Value;

// Reads a number that is at least 0; nothing if the key is missing.
std::optional<double> amount(const Keys& keys, const char* key) {
  const Value* value = keys.find(key);
  if (!value) return std::nullopt;
  const double number = own::number_of(*value, key);
  if (!(number >= 0) || !std::isfinite(number))
    own::refuse(value->place, std::string(key) + " must be a number of at least 0");
  return number;
}

ElementType type_named(const Value& value) {
  const std::string& text = own::text_of(value, "type");
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32})
    if (text == sextant::name_of(type)) return type;
  own::refuse(value.place, "`type` must be \"float\", \"double\" or \"int\", not \"" + text + "\"");
}

Extents extents_listed(const Value& value) {
  const std::vector<Value>& list = own::list_of(value, "extents");
  if (list.empty() || list.size() > 3)
    own::refuse(value.place, "`extents` must be one to three whole numbers");
  std::int64_t lengths[3] = {1, 1, 1};
  for (std::size_t i = 0; i < list.size(); ++i) {
    lengths[i] = own::whole_of(list[i], "an extent");
    if (lengths[i] < 1 || lengths[i] > std::int64_t{1} << 40)
      own::refuse(list[i].place, "each number of `extents` must be from 1 to 2^40");
  }
  return {lengths[0], lengths[1], lengths[2]};
}

Traits traits_written(const Keys& keys) {
  const auto trait = [&](const char* key) { return amount(keys, key).value_or(Traits::not_known); };
  Traits traits;
  traits.loads = trait("loads");
  traits.stores = trait("stores");
  traits.stride_read = trait("stride_read");
  traits.stride_write = trait("stride_write");
  traits.special_flops = trait("special_flops");
  traits.reduction = trait("reduction");
  traits.launches = trait("launches");
  traits.depth = trait("depth");
  traits.divergence = trait("divergence");
  return traits;
}

}  // namespace

WrittenForm read_form(const std::string& toml, const std::string& file) {
  const Value value = own::parse_toml(toml, file);
  const Keys keys(value, "a form", {"name",
                                    "type",
                                    "extents",
                                    "bytes_read",
                                    "bytes_written",
                                    "flops",
                                    "integer_operations",
                                    "copy_in",
                                    "copy_out",
                                    "working_set",
                                    "arrays_in",
                                    "arrays_out",
                                    "loads",
                                    "stores",
                                    "stride_read",
                                    "stride_write",
                                    "special_flops",
                                    "reduction",
                                    "launches",
                                    "depth",
                                    "divergence"});
  WrittenForm form;
  const Value* name = keys.find("name");
  form.name = name ? own::text_of(*name, "name") : std::filesystem::path(file).stem().string();
  if (const Value* type = keys.find("type")) form.type = type_named(*type);
  if (const Value* extents = keys.find("extents")) form.extents = extents_listed(*extents);
  keys.need("bytes_read", "the bytes that an item reads, such as bytes_read = 8");
  keys.need("bytes_written", "the bytes that an item writes, such as bytes_written = 4");
  form.read = *amount(keys, "bytes_read");
  form.written = *amount(keys, "bytes_written");
  form.flops = amount(keys, "flops").value_or(0);
  form.integer_operations = amount(keys, "integer_operations").value_or(0);
  form.copy_in = amount(keys, "copy_in").value_or(form.read);
  form.copy_out = amount(keys, "copy_out").value_or(form.written);
  form.working_set = amount(keys, "working_set").value_or(form.copy_in + form.copy_out);
  form.arrays_in = std::llround(amount(keys, "arrays_in").value_or(form.copy_in > 0 ? 1 : 0));
  form.arrays_out = std::llround(amount(keys, "arrays_out").value_or(form.copy_out > 0 ? 1 : 0));
  form.traits = traits_written(keys);
  if (!(form.working_set > 0))
    own::refuse(value.place, "a kernel without data has no time to predict. Write a `working_set` above 0.");
  return form;
}

Form form_of(const WrittenForm& written, std::int64_t items, ElementType type) {
  const auto all = [&](double each) { return std::llround(each * static_cast<double>(items)); };
  Form form;
  form.type = type;
  form.extents = written.extents.value_or(Extents{items, 1, 1});
  form.work = {.bytes_read = all(written.read),
               .bytes_written = all(written.written),
               .flops = all(written.flops),
               .items = items,
               .integer_operations = all(written.integer_operations)};
  form.traits = written.traits;
  form.arrays_in = written.arrays_in, form.arrays_out = written.arrays_out;
  form.bytes_in = all(written.copy_in), form.bytes_out = all(written.copy_out);
  form.working_set = all(written.working_set);
  form.n = form.working_set / static_cast<std::int64_t>(element_size(type));
  return form;
}

}  // namespace sextant::predict
