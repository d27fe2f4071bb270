// From a tree of values to a description; inner parts of description.cpp.
#pragma once

#include "own/description/description.hpp"
#include "own/description/tree.hpp"

namespace sextant::own {

Description read_description_tree(const Value& tree, const std::string& file);

// `value` as an expression of the names; whole numbers may stand without quotes. `what`: "grid".
Expression expression_of(const Value& value, const std::vector<std::string>& names, const std::string& what,
                         Dialect dialect = Dialect::own);
// Compiler matters of a table, added to what holds for all variants.
Compilation compilation_of(const Keys& keys, const Compilation& for_all);
DescribedVariant read_variant(const Description& description, const std::string& name, const Place& place,
                              const Value& value, const Compilation& for_all);
// The arguments of a function, in its order; those that are no array and no scalar are expressions.
std::vector<DescribedArgument> arguments_of(const Description& description, const DescribedVariant& variant,
                                            const Value& list);
// A tunable from the values that a list names, the first preferred. Throws UserError: none, or one twice.
DescribedTunable tunable_of(const std::string& name, const Place& place, const std::vector<Value>& values,
                            bool flag);
Fill fill_of(const Value& value, const std::string& array, const std::vector<std::string>& names);

bool is_identifier(const std::string& text);
// Throws UserError unless `name` is an identifier that nothing else in the description has.
void check_name(const Description& description, const std::string& name, const Place& place,
                const std::string& what);
int array_named(const Description& description, const std::string& name);  // -1: none
// The same of a variant's arguments: its temporary arrays follow those of the kernel.
int array_named(const Description& description, const DescribedVariant& variant, const std::string& name);
// The type that an array's table declares; none: T.
std::optional<ArrayType> array_type(const Value& array, const std::string& name);
// Evaluates every expression at three sizes with the preferred tuning. Throws UserError with its place.
void check_expressions(const Description& description);

}  // namespace sextant::own
