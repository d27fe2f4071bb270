// Internal functions that convert a parsed TOML or JSON text (tree.hpp) to the description of a user kernel.
#pragma once

#include "own/description/description.hpp"
#include "own/description/tree.hpp"

namespace sextant::own {

Description read_description_tree(const Value& tree, const std::string& file);

// Parses `value` as an expression that may use `names`. An integer may be written without quotes. `what`
// names the expression in error messages ("grid").
Expression expression_of(const Value& value, const std::vector<std::string>& names, const std::string& what,
                         Dialect dialect = Dialect::own);
// Returns the compiler options of a variant: the common options `for_all`, extended by those in the variant's
// table.
Compilation compilation_of(const Keys& keys, const Compilation& for_all);
DescribedVariant read_variant(const Description& description, const std::string& name, const Place& place,
                              const Value& value, const Compilation& for_all);
// Returns the arguments in the order of the function. An argument that is neither an array nor a scalar is an
// expression.
std::vector<DescribedArgument> arguments_of(const Description& description, const DescribedVariant& variant,
                                            const Value& list);
// Creates a tunable from a list of values; the first is preferred. Throws UserError for an empty list or a
// repeated value.
DescribedTunable tunable_of(const std::string& name, const Place& place, const std::vector<Value>& values,
                            bool flag);
Fill fill_of(const Value& value, const std::string& array, const std::vector<std::string>& names);

bool is_identifier(const std::string& text);
// Throws UserError unless `name` is an identifier that is not used elsewhere in the description.
void check_name(const Description& description, const std::string& name, const Place& place,
                const std::string& what);
int array_named(const Description& description, const std::string& name);  // returns the array's index, or -1
// Finds an array of the kernel or a temporary array of the variant. The indices of temporary arrays follow
// those of the kernel's arrays.
int array_named(const Description& description, const DescribedVariant& variant, const std::string& name);
// Returns the type that an array's table declares; empty means the type parameter T.
std::optional<ArrayType> array_type(const Value& array, const std::string& name);
// Evaluates all expressions at three sizes with the preferred tuning. Throws UserError with the position of
// an error.
void check_expressions(const Description& description);

}  // namespace sextant::own
