#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "base/error.hpp"
#include "own/draft/array_uses.hpp"
#include "own/draft/clang/clang_library.hpp"
#include "own/draft/clang/cuda_names.hpp"
#include "own/draft/clang/parsed_body.hpp"
#include "own/draft/clang/struct_layout.hpp"
#include "own/draft/cuda_calls.hpp"
#include "own/draft/decisions.hpp"
#include "own/draft/defining_files.hpp"
#include "own/draft/element_values.hpp"
#include "own/draft/independence.hpp"
#include "own/draft/launches.hpp"
#include "own/draft/signature.hpp"
#include "own/draft/tokens.hpp"

namespace sextant::own {
namespace {

// Largest number of members in a struct that a description can contain.
constexpr long long most_struct_members = 65'536;

// A source file that libclang has parsed.
class Unit {
 public:
  // `before` lists files that are included before the source.
  Unit(const std::string& source, const std::string& file, const std::vector<std::string>& before) {
    const std::string folder = std::filesystem::absolute(file).parent_path().string();
    const bool cuda = file.ends_with(".cu");
    std::vector<const char*> options = {"-std=c++17", "-ferror-limit=0", "-w",       "-Wno-everything",
                                        "-I",         folder.c_str(),    "-include", header_};
    for (const std::string& one : before) options.insert(options.end(), {"-include", one.c_str()});
    if (cuda)
      options.insert(options.end(), {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib"});
    else
      options.insert(options.end(), {"-x", "c++"});
    const std::string names = common_names + (cuda ? std::string(cuda_names) : std::string());
    CXUnsavedFile files[] = {{file.c_str(), source.c_str(), source.size()},
                             {header_, names.c_str(), names.size()}};
    index_ = clang_.clang_createIndex(0, 0);
    const CXErrorCode error = clang_.clang_parseTranslationUnit2(index_, file.c_str(), options.data(),
                                                                 static_cast<int>(options.size()), files, 2,
                                                                 CXTranslationUnit_KeepGoing, &unit_);
    if (error != CXError_Success) {
      clang_.clang_disposeIndex(index_);
      throw UserError(
          file + " cannot be read, because libclang cannot parse it. Compile the file to see its errors.");
    }
    read_from(clang_.clang_getFile(unit_, file.c_str()));
  }
  ~Unit() {
    clang_.clang_disposeTranslationUnit(unit_);
    clang_.clang_disposeIndex(index_);
  }
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  CXCursor root() const { return clang_.clang_getTranslationUnitCursor(unit_); }

  // Returns the type names that the file uses but nothing defines.
  std::set<std::string> unknown_types() const {
    return names_in_errors(std::regex("unknown type name '(\\w+)'|no template named '(\\w+)'"), false);
  }

  // Returns other names, such as functions, that the file or the files before it use but nothing declares.
  std::set<std::string> undeclared() const {
    return names_in_errors(std::regex("use of undeclared identifier '(\\w+)'()"), true);
  }

  // Returns the first error between two offsets of the file, or an empty text.
  std::string error_in(unsigned begin, unsigned end) const {
    std::string found;
    if (begin == 0) return found;
    for (unsigned i = 0; i < clang_.clang_getNumDiagnostics(unit_) && found.empty(); ++i) {
      CXDiagnostic one = clang_.clang_getDiagnostic(unit_, i);
      const unsigned at = offset_of(clang_.clang_getDiagnosticLocation(one));
      if (clang_.clang_getDiagnosticSeverity(one) >= CXDiagnostic_Error && at >= begin && at < end && at > 0)
        found = clang_.text(clang_.clang_getDiagnosticSpelling(one));
      clang_.clang_disposeDiagnostic(one);
    }
    return found;
  }

 private:
  // Returns the names that the pattern finds in the errors of the file, or of all files.
  std::set<std::string> names_in_errors(const std::regex& pattern, bool of_all) const {
    std::set<std::string> names;
    for (unsigned i = 0; i < clang_.clang_getNumDiagnostics(unit_); ++i) {
      CXDiagnostic one = clang_.clang_getDiagnostic(unit_, i);
      const std::string text = clang_.text(clang_.clang_getDiagnosticSpelling(one));
      std::smatch found;
      const bool of_file = offset_of(clang_.clang_getDiagnosticLocation(one)) > 0;
      if ((of_all || of_file) && std::regex_search(text, found, pattern))
        names.insert(found[1].matched ? found[1] : found[2]);
      clang_.clang_disposeDiagnostic(one);
    }
    return names;
  }

  static constexpr const char* header_ = "/sextant/names.h";
  const ClangLibrary& clang_ = clang_library();
  CXIndex index_ = nullptr;
  CXTranslationUnit unit_ = nullptr;
};

std::string without(std::string text, const char* word) {
  for (std::size_t at; (at = text.find(word)) != std::string::npos;)
    text.erase(at, std::char_traits<char>::length(word));
  return text;
}

std::string bare(const std::string& name) { return name.substr(name.rfind(':') + 1); }

class Reader {
 public:
  Reader(const std::string& source, const Unit& unit) : source_(source), unit_(unit) {}

  std::vector<Signature> functions() {
    read(unit_.root(), "");
    for (Signature& one : functions_)
      for (const Launch& launch : launches_) {
        if (one.kernel != launch.kernel || bare(one.name) != launch.function) continue;
        if (one.calls.empty()) take_launch(launch.site, &one);
        one.calls.push_back(launch.site);
      }
    return std::move(functions_);
  }

  // Returns the source with macros expanded in those functions where a macro hides an operator. Empty if
  // there are no such functions.
  std::string without_macros() const {
    if (expanded_.empty()) return "";
    std::string text = source_;
    for (auto one = expanded_.rbegin(); one != expanded_.rend(); ++one)
      text.replace(one->begin, one->end - one->begin, one->text + "\n");
    return text;
  }

 private:
  std::string spelling(CXCursor cursor) const { return clang_.text(clang_.clang_getCursorSpelling(cursor)); }

  void read(CXCursor cursor, const std::string& scope) {
    for_children(cursor, [&](CXCursor child) {
      if (!clang_.clang_Location_isFromMainFile(clang_.clang_getCursorLocation(child))) return;
      switch (child.kind) {
        case CXCursor_Namespace:
          return read(child, spelling(child).empty() ? scope : scope + spelling(child) + "::");
        case CXCursor_LinkageSpec:
        case CXCursor_UnexposedDecl:
          return read(child, scope);
        case CXCursor_FunctionDecl:
        case CXCursor_FunctionTemplate:
          if (clang_.clang_isCursorDefinition(child)) read_function(child, scope);
          return;
        default:
          return;
      }
    });
  }

  // Returns the type of the value that the function returns; empty for void.
  std::string returned_type(CXCursor function) const {
    const std::string type = clang_.text(
        clang_.clang_getTypeSpelling(clang_.clang_getCanonicalType(clang_.clang_getCursorType(function))));
    const std::string returned = type.substr(0, type.find(" ("));
    return returned == "void" ? "" : returned;
  }

  void read_function(CXCursor cursor, const std::string& scope) {
    Signature function;
    const std::string name = spelling(cursor);
    function.name = scope + name.substr(0, name.find('<'));
    function.line = line_of(clang_.clang_getCursorLocation(cursor));
    function.returns = returned_type(cursor);
    bool device = false, host = false;
    CXCursor body = cursor;
    std::vector<CXCursor> parameters, templates;
    for_children(cursor, [&](CXCursor child) {
      if (child.kind == CXCursor_CUDAGlobalAttr) function.kernel = true;
      if (child.kind == CXCursor_CUDADeviceAttr) device = true;
      if (child.kind == CXCursor_CUDAHostAttr) host = true;
      if (child.kind == CXCursor_TemplateTypeParameter)
        function.templates.push_back({spelling(child), true, ""});
      if (child.kind == CXCursor_NonTypeTemplateParameter) function.templates.push_back(number_of(child));
      if (child.kind == CXCursor_TemplateTypeParameter || child.kind == CXCursor_NonTypeTemplateParameter)
        templates.push_back(child);
      if (child.kind == CXCursor_ParmDecl) parameters.push_back(child);
      if (child.kind == CXCursor_CompoundStmt) body = child;
    });
    if (body.kind != CXCursor_CompoundStmt) return;
    for (Launch& one : launches_in(node_of(body, source_))) launches_.push_back(std::move(one));
    const bool named = !name.empty() && name != "main" && !name.starts_with("operator");
    if (device && has_shared(tokens_in(body))) shared_.insert(function.name);
    if (const std::string call = outside_call(tokens_in(body)); !call.empty()) {
      outside_.insert(name);
      function.unfit = "it calls " + call + ", which may change files or start programs";
    }
    if (!named) return;
    for (const CXCursor& one : parameters) function.parameters.push_back(parameter_of(one, function));
    parameters.insert(parameters.end(), templates.begin(), templates.end());
    Helper read = read_body(body, parameters, &function);
    const bool hides = read.body.hidden;
    read.signature = function;
    helpers_[offset_of(clang_.clang_getCursorLocation(cursor))] = std::move(read);
    if (device && !host) return;
    if (hides) expand(cursor);
    if (!function.kernel) take_elements(parameters, &function);
    functions_.push_back(std::move(function));
  }

  // Makes arrays of one element of what a function on the host takes by reference, and of structs by value. A
  // function without other arrays is a helper.
  void take_elements(const std::vector<CXCursor>& parameters, Signature* function) const {
    if (std::none_of(function->parameters.begin(), function->parameters.end(),
                     [](const Parameter& one) { return one.pointer; }))
      return;
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
      Parameter& one = function->parameters[i];
      const CXType type = clang_.clang_getCursorType(parameters[i]);
      CXType known = clang_.clang_getCanonicalType(type), of = type;
      const bool reference = known.kind == CXType_LValueReference;
      if (reference) known = of = clang_.clang_getPointeeType(known);
      if (one.pointer || one.name.empty() || !is_of_numbers(known)) continue;
      if (known.kind == CXType_Record)
        make_element(of, known, *function, reference && !one.is_const, &one);
      else if (reference && one.is_const)
        one.type = type_name(of, known, *function), one.unfit.clear();
      else if (reference)
        make_element(of, known, *function, true, &one);
    }
  }

  void make_element(const CXType& type, const CXType& known, const Signature& function, bool written,
                    Parameter* parameter) const {
    Parameter element;
    if (known.kind == CXType_Record) {
      read_struct(known, &element);
      if (element.member.empty()) return;
    }
    element.name = parameter->name;
    element.type = type_name(type, known, function);
    element.pointer = element.element = element.read = true;
    element.written = written, element.is_const = !written;
    element.lengths = element.whole = {Polynomial(1)};
    *parameter = std::move(element);
  }

  TemplateParameter number_of(CXCursor cursor) const {
    TemplateParameter parameter{spelling(cursor), false, ""};
    const Node node = node_of(cursor, source_);
    if (!node.children.empty()) {
      const Node& preset = node.children.back();
      if (preset.begin > 0 && preset.end > preset.begin)
        parameter.preset = source_.substr(preset.begin, preset.end - preset.begin);
    }
    return parameter;
  }

  Parameter parameter_of(CXCursor cursor, const Signature& function) const {
    Parameter parameter;
    parameter.name = spelling(cursor);
    CXType type = clang_.clang_getCursorType(cursor);
    CXType known = clang_.clang_getCanonicalType(type);
    const bool array = known.kind == CXType_ConstantArray || known.kind == CXType_IncompleteArray;
    if (array || known.kind == CXType_Pointer) {
      parameter.pointer = true;
      const auto element = [&](const CXType& of) {
        return array ? clang_.clang_getArrayElementType(of) : clang_.clang_getPointeeType(of);
      };
      type = element(type).kind == CXType_Invalid ? element(known) : element(type);
      known = clang_.clang_getCanonicalType(type);
    }
    if (parameter.pointer && known.kind == CXType_Record) read_struct(known, &parameter);
    parameter.is_const = clang_.clang_isConstQualifiedType(known);
    parameter.type = type_name(type, known, function);
    const unsigned begin = offset_of(clang_.clang_getRangeStart(clang_.clang_getCursorExtent(cursor)));
    const unsigned end = offset_of(clang_.clang_getRangeEnd(clang_.clang_getCursorExtent(cursor)));
    parameter.unfit = unit_.error_in(begin, end);
    if (!parameter.unfit.empty()) return parameter;
    if (known.kind == CXType_Pointer || known.kind == CXType_ConstantArray ||
        known.kind == CXType_IncompleteArray)
      parameter.unfit =
          parameter.pointer ? "it is a pointer to pointers or rows" : "it is an array by reference";
    if (known.kind == CXType_FunctionProto) parameter.unfit = "a function";
    if (known.kind == CXType_LValueReference || known.kind == CXType_RValueReference) {
      parameter.unfit = "a reference";
      parameter.is_const = clang_.clang_isConstQualifiedType(clang_.clang_getPointeeType(known));
    }
    if (parameter.name.empty()) parameter.unfit = "it has no name";
    return parameter;
  }

  // Reads the members of a struct if they all have one type and the struct has no padding.
  void read_struct(const CXType& type, Parameter* parameter) const {
    std::string member;
    long long members = 0, bytes = 0;
    const long long size = clang_.clang_Type_getSizeOf(type);
    parameter->mixed = !add_members(type, &member, &members, &bytes) || bytes != size;
    if (parameter->mixed && is_of_numbers(type)) {
      member = "unsigned char", members = size;
      parameter->layout = StructLayout(size).of(type);
    }
    if (member.empty() || members < 1 || members > most_struct_members) return;
    parameter->member = member;
    parameter->members = static_cast<int>(members);
  }

  // Returns true if the type consists of numbers alone, without pointers and base classes.
  bool is_of_numbers(const CXType& type) const {
    const CXType known = clang_.clang_getCanonicalType(type);
    if (known.kind == CXType_ConstantArray) return is_of_numbers(clang_.clang_getArrayElementType(known));
    if (known.kind == CXType_Enum) return true;
    if (known.kind != CXType_Record)
      return known.kind >= CXType_FirstBuiltin && known.kind <= CXType_LastBuiltin;
    bool all = !has_base(known);
    for_fields(known, [&](CXCursor field) { all = all && is_of_numbers(clang_.clang_getCursorType(field)); });
    return all;
  }

  // A struct that a template gives has the members of the template's struct, but does not list its bases.
  bool has_base(const CXType& type) const {
    const CXCursor declared = clang_.clang_getTypeDeclaration(type);
    const CXCursor general = clang_.clang_getSpecializedCursorTemplate(declared);
    bool base = false;
    for_children(clang_.clang_Cursor_isNull(general) ? declared : general,
                 [&](CXCursor child) { base = base || child.kind == CXCursor_CXXBaseSpecifier; });
    return base;
  }

  bool add_members(const CXType& type, std::string* member, long long* members, long long* bytes) const {
    const CXType known = clang_.clang_getCanonicalType(type);
    if (known.kind == CXType_ConstantArray) {
      const long long count = clang_.clang_getArraySize(known), before = *members, bytes_before = *bytes;
      if (!add_members(clang_.clang_getArrayElementType(known), member, members, bytes)) return false;
      *members = before + count * (*members - before);
      *bytes = bytes_before + count * (*bytes - bytes_before);
      return true;
    }
    if (known.kind == CXType_Record) {
      bool all = !has_base(known);
      for_fields(known, [&](CXCursor field) {
        all = all && add_members(clang_.clang_getCursorType(field), member, members, bytes);
      });
      return all;
    }
    const std::string name = clang_.text(clang_.clang_getTypeSpelling(known));
    if (known.kind < CXType_FirstBuiltin || known.kind > CXType_LastBuiltin ||
        (!member->empty() && *member != name))
      return false;
    *member = name;
    ++*members;
    *bytes += clang_.clang_Type_getSizeOf(known);
    return true;
  }

  // Returns the name of the type. T and template parameters keep their names; typedefs are resolved.
  std::string type_name(const CXType& type, const CXType& known, const Signature& function) const {
    const auto bare = [](const std::string& text) {
      std::string name = without(without(without(without(text, "const "), "volatile "), "struct "), " const");
      while (name.ends_with(' ')) name.pop_back();
      return name;
    };
    const std::string written = bare(clang_.text(clang_.clang_getTypeSpelling(type)));
    const bool is_template =
        std::any_of(function.templates.begin(), function.templates.end(),
                    [&](const TemplateParameter& one) { return one.is_type && one.name == written; });
    if (written == "T" || is_template) return written;
    std::string name = bare(clang_.text(clang_.clang_getTypeSpelling(known)));
    if (name.starts_with("std::")) name.erase(0, 5);
    return name == "_Bool" ? "bool" : name;
  }

  // Returns the offsets in the file at which the code of the cursor begins and ends.
  std::pair<unsigned, unsigned> places_of(CXCursor cursor) const {
    const CXSourceRange range = clang_.clang_getCursorExtent(cursor);
    return {offset_of(clang_.clang_getRangeStart(range)), offset_of(clang_.clang_getRangeEnd(range))};
  }

  Tokens tokens_in(CXCursor body) const {
    const auto [begin, end] = places_of(body);
    Tokens tokens = tokens_of(source_.substr(begin, end - begin));
    for (Token& one : tokens) one.at += begin;
    return tokens;
  }

  // Returns true if a body uses shared memory of a fixed size, or names an earlier function that does.
  bool has_shared(const Tokens& tokens) const {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (shared_.contains(tokens[i].text) ||
          (tokens[i].text == "__shared__" && (i == 0 || tokens[i - 1].text != "extern")))
        return true;
    return false;
  }

  // Returns true if an operator or a function has a result of type float.
  static bool computes_in_float(const Node& node) {
    const bool computes =
        node.kind == Node::Kind::binary || node.kind == Node::Kind::compound || node.kind == Node::Kind::call;
    return (computes && node.single && node.text != "=") ||
           std::any_of(node.children.begin(), node.children.end(), computes_in_float);
  }

  // Returns true if a body calls an elementary function, or an earlier function of the file that does.
  bool calls_elementary(const Tokens& tokens) const {
    static const std::set<std::string> known = {
        "exp",  "log",  "pow",  "sin",  "cos",  "tan",   "erf",   "erfc",  "sinh",   "cosh",  "tanh",
        "atan", "asin", "acos", "exp2", "log2", "log1p", "expm1", "atan2", "tgamma", "lgamma"};
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (tokens[i + 1].text != "(") continue;
      std::string name = tokens[i].text;
      for (const auto& [at, one] : helpers_)
        if (one.signature.elementary && bare(one.signature.name) == name) return true;
      if (name.starts_with("__")) name.erase(0, 2);
      if (name.ends_with("f") && known.contains(name.substr(0, name.size() - 1))) name.pop_back();
      if (known.contains(name)) return true;
    }
    return false;
  }

  // Returns the first function in a body that opens or changes files or starts programs, or an earlier
  // function that calls one; empty if there is none. The test of a description runs the functions on random
  // data.
  std::string outside_call(const Tokens& tokens) const {
    static const std::set<std::string> known = {
        "fopen", "freopen", "open",   "creat", "ofstream", "fstream", "remove", "rename", "unlink",
        "rmdir", "mkdir",   "system", "popen", "fork",     "execv",   "execvp", "execl",  "kill"};
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const std::string& text = tokens[i].text;
      const bool member = i > 0 && (tokens[i - 1].text == "." || tokens[i - 1].text == ">");
      if (member || !(known.contains(text) || outside_.contains(text))) continue;
      if (text.ends_with("fstream")) return text;
      if (tokens[i + 1].text != "(") continue;
      // std::remove of the algorithms has three arguments
      if (text != "remove" || !has(tokens, i, behind(tokens, i + 1, "(", ")"), ",")) return text;
    }
    return "";
  }

  // Assumes that a call of a function that nothing declares writes the arrays it gets, as `p`, `p + i` or
  // `&p[i]`. Atomic functions change one element, which was read already.
  void read_unknown_calls(const Tokens& tokens, Signature* function) const {
    const std::set<std::string> undeclared = unit_.undeclared();
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (!undeclared.contains(tokens[i].text) || tokens[i + 1].text != "(" ||
          tokens[i].text.starts_with("atomic"))
        continue;
      const std::size_t end = behind(tokens, i + 1, "(", ")");
      for (std::size_t k = i + 2; k + 1 < end; ++k)
        for (Parameter& one : function->parameters) {
          const bool element = tokens[k + 1].text == "[" && tokens[k - 1].text != "&";
          if (one.name == tokens[k].text && one.pointer && !one.is_const && !element)
            one.read = one.written = one.has_unknown = true;
        }
    }
  }

  // Finds assignments to array elements in a body with syntax errors. libclang may have dropped these
  // statements.
  void read_dropped(const Tokens& tokens, Signature* function) const {
    read_unknown_calls(tokens, function);
    for (Parameter& one : function->parameters)
      for (std::size_t i = 0; one.pointer && !one.is_const && !one.written && i + 1 < tokens.size(); ++i) {
        if (tokens[i].text != one.name || tokens[i + 1].text != "[") continue;
        const std::size_t sign = behind(tokens, i + 1, "[", "]");
        if (sign + 1 < tokens.size() && tokens[sign].text == "=" && tokens[sign + 1].text != "=")
          one.written = one.has_unknown = true;
      }
    // If no assignment was found, assumes that calls write the arrays. libclang may have dropped these calls,
    // too.
    const auto writes = [](const Parameter& one) { return one.written; };
    if (std::any_of(function->parameters.begin(), function->parameters.end(), writes)) return;
    for (Parameter& one : function->parameters)
      if (one.pointer && !one.is_const && has(tokens, 0, tokens.size(), one.name.c_str()))
        one.read = one.written = one.has_unknown = true;
  }

  // Reads how the body uses its parameters. `parameters` lists those of the function, then those of the
  // template. Returns the body.
  Helper read_body(CXCursor body, const std::vector<CXCursor>& parameters, Signature* function) const {
    const Tokens tokens = tokens_in(body);
    function->threads = has(tokens, 0, tokens.size(), "#omp");
    read_cuda_calls(tokens, source_, function);
    for (std::size_t i = 0; i < tokens.size(); ++i)
      function->shared = function->shared || (i + 1 < tokens.size() && tokens[i].text == "extern" &&
                                              tokens[i + 1].text == "__shared__");
    std::vector<unsigned> places;
    for (const CXCursor& one : parameters) places.push_back(offset_of(clang_.clang_getCursorLocation(one)));
    Node node = node_of(body, source_);
    function->body = node.begin;
    read_uses(node, places, helpers_, function);
    read_decisions(node, places, helpers_, function);
    read_element_values(node, places, helpers_, function);
    function->fixed_shared = has_shared(tokens);
    function->elementary = calls_elementary(tokens);
    function->in_float = computes_in_float(node);
    const auto [begin, end] = places_of(body);
    if (!unit_.error_in(begin, end).empty()) read_dropped(tokens, function);
    if (!function->kernel && !function->threads)
      function->loop = outermost_loop(tokens, function->parameters);
    return {{}, std::move(node), std::move(places)};
  }

  // Stores the text of the function with its macros expanded.
  void expand(CXCursor cursor) {
    const auto [begin, end] = places_of(cursor);
    if (begin < end)
      expanded_.push_back({begin, end, clang_.text(clang_.clang_getCursorPrettyPrinted(cursor, nullptr))});
  }

  const std::string& source_;
  const Unit& unit_;
  const ClangLibrary& clang_ = clang_library();
  std::vector<Signature> functions_;
  std::vector<Launch> launches_;
  Helpers helpers_;
  std::set<std::string> shared_;   // names of device functions that use shared memory of a fixed size
  std::set<std::string> outside_;  // names of functions that open or change files or start programs
  struct Expanded {
    unsigned begin, end;
    std::string text;
  };
  std::vector<Expanded> expanded_;  // functions with expanded macros, in the order of the file
};

std::vector<Signature> functions_in(const std::string& source, const std::string& file,
                                    const std::vector<std::string>& before) {
  const Unit unit(source, file, before);
  return Reader(source, unit).functions();
}

// Copies the uses of arrays from the functions with expanded macros (`plain`) to the original functions.
void take_uses(const std::vector<Signature>& plain, std::vector<Signature>* functions) {
  if (plain.size() != functions->size()) return;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    Signature& function = (*functions)[i];
    if (function.name != plain[i].name || function.parameters.size() != plain[i].parameters.size()) continue;
    const std::array<Axis, 3> launched = function.axes;
    function.axes = plain[i].axes;
    function.terms = plain[i].terms, function.work = plain[i].work;
    function.amplifies = plain[i].amplifies;
    function.recurs = plain[i].recurs, function.in_float = function.in_float || plain[i].in_float;
    for (std::size_t k = 0; k < 3; ++k)
      function.axes[k].launched = launched[k].launched,
      function.axes[k].launched_blocks = launched[k].launched_blocks;
    for (std::size_t k = 0; k < function.parameters.size(); ++k) {
      Parameter& to = function.parameters[k];
      const Parameter& from = plain[i].parameters[k];
      // The text with expanded macros may lack calls of functions that nothing declares.
      to.read = to.read || from.read, to.written = to.written || from.written;
      to.whole = from.whole;
      to.lengths = from.lengths, to.has_unknown = from.has_unknown;
      to.links = from.links, to.ends = from.ends;
      to.sorted = from.sorted, to.decided = from.decided;
      to.divides = from.divides, to.negative = from.negative, to.remainder = from.remainder;
      to.compared_to = from.compared_to, to.divisor = from.divisor, to.block = from.block;
      to.use = from.use;
      to.chosen_by = from.chosen_by, to.rows_of = from.rows_of;
    }
  }
}

// Puts a file at the front of a list, because the files behind it need it. Returns false if it is there
// already, or if its name is empty.
bool put_first(const std::string& file, std::vector<std::string>* files) {
  if (file.empty() || (!files->empty() && files->front() == file)) return false;
  std::erase(*files, file);
  files->insert(files->begin(), file);
  return true;
}

}  // namespace

SourceFunctions functions_of(const std::string& source, const std::string& file) {
  // The source is read again after each added header, as a header may need another one.
  constexpr int most_rounds = 4;
  // Maximum nesting depth of brackets, because the parser is recursive.
  constexpr std::size_t deepest_read = 1000;
  if (deepest(tokens_of(source)) > deepest_read)
    throw UserError(file + ": brackets or statements are nested more than 1000 deep. Split them.");
  SourceFunctions found;
  std::vector<std::string> around, types, functions;  // files around the source; those that are needed
  for (int i = 0;; ++i) {
    const Unit unit(source, file, found.before);
    const std::set<std::string> unknown = unit.unknown_types();
    bool more = false;
    if (!unknown.empty() && i == 0) around = files_around(file);
    if (i < most_rounds) {
      for (const std::string& name : unknown)
        if (const std::string one = file_that_defines(name, around);
            std::find(types.begin(), types.end(), one) == types.end())
          more |= put_first(one, &types);
      for (const std::string& name : unit.undeclared())
        more |= put_first(file_with_function(name, file), &functions);
    }
    found.before = types;
    found.before.insert(found.before.end(), functions.begin(), functions.end());
    if (more) continue;
    Reader reader(source, unit);
    found.functions = reader.functions();
    if (const std::string plain = reader.without_macros(); !plain.empty())
      take_uses(functions_in(plain, file, found.before), &found.functions);
    return found;
  }
}

}  // namespace sextant::own
