#include "analysis/profile/directives.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <string_view>

#include "base/join.hpp"

namespace sextant {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Returns the text between `before` and `after`, or "" if either is missing.
std::string between(const std::string& text, std::string_view before, std::string_view after) {
  const std::size_t start = text.find(before);
  if (start == std::string::npos) return {};
  const std::size_t from = start + before.size(), to = text.find(after, from);
  return to == std::string::npos ? std::string() : text.substr(from, to - from);
}

// Removes a number and the ':' after it from the start of `rest`. Returns the number, or 0 if there is none.
int take_number(std::string_view* rest) {
  int value = 0;
  const auto [end, error] = std::from_chars(rest->data(), rest->data() + rest->size(), value);
  if (error != std::errc() || end == rest->data() + rest->size() || *end != ':') return 0;
  rest->remove_prefix(static_cast<std::size_t>(end - rest->data()) + 1);
  return value;
}

bool parse_note(const std::string& line, CompilerNote* note) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos || colon == 0) return false;
  note->file = line.substr(0, colon);
  std::string_view rest = std::string_view(line).substr(colon + 1);
  note->line = take_number(&rest);
  note->column = note->line ? take_number(&rest) : 0;
  if (!note->column || !rest.starts_with(' ')) return false;
  rest.remove_prefix(1);
  for (const std::string_view kind : {"optimized", "missed", "note"}) {
    if (!rest.starts_with(kind) || !rest.substr(kind.size()).starts_with(": ")) continue;
    note->kind = kind;
    note->text = rest.substr(kind.size() + 2);
    return true;
  }
  return false;
}

// Explains how a loop with levels such as "gang worker vector" runs on a GPU's threads.
std::string meaning_of_levels(const std::string& levels) {
  if (levels == "seq") return "runs on one thread, one iteration after another";
  const bool gang = contains(levels, "gang"), worker = contains(levels, "worker"),
             vector = contains(levels, "vector");
  if (gang && !worker && !vector) return "runs in parallel over blocks, with one active thread each";
  std::string text = "runs in parallel over ";
  if (gang) text += "blocks";
  if (worker || vector) text += gang ? " and " : "";
  if (worker && vector)
    text += "all threads of a block";
  else if (worker)
    text += "the warps of a block";
  else if (vector)
    text += gang ? "the threads of each" : "threads of a block that run together";
  return text;
}

std::vector<std::string> lines_of(const std::string& source) {
  std::vector<std::string> lines;
  std::istringstream text(source);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string_view without_indentation(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

// A namespace block of a source file, with the indices of its first and last line.
struct Block {
  std::string name;
  std::size_t first, last;
};

std::vector<Block> blocks_of(const std::vector<std::string>& lines) {
  const std::string_view before = "namespace ", after = " {";
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = without_indentation(lines[i]);
    if (!line.starts_with(before) || !line.ends_with(after) || line.size() <= before.size() + after.size())
      continue;
    const std::string name(line.substr(before.size(), line.size() - before.size() - after.size()));
    const std::string closing = "}  // namespace " + name;
    for (std::size_t last = i; name != "sextant" && last < lines.size(); ++last)
      if (without_indentation(lines[last]) == closing) {
        blocks.push_back({name, i, last});
        break;
      }
  }
  return blocks;
}

// Returns the position of a variant's entry in the file's list of variants; npos if there is none.
std::size_t find_entry(const std::string& source, const std::string& variant) {
  for (const char* before : {".name = \"", "named(\""})
    if (const std::size_t at = source.rfind(before + variant + "\""); at != std::string::npos) return at;
  return std::string::npos;
}

// Returns the text of a variant's entry, up to the next entry.
std::string entry_of(const std::string& source, const std::vector<std::string>& variants,
                     const std::string& variant) {
  const std::size_t begin = find_entry(source, variant);
  if (begin == std::string::npos) return {};
  std::size_t end = source.size();
  for (const std::string& other : variants)
    if (const std::size_t at = find_entry(source, other); at != std::string::npos && at > begin)
      end = std::min(end, at);
  return source.substr(begin, end - begin);
}

// True if `code` contains `space::` at the start of a word.
bool names_something_of(const std::string& code, const std::string& space) {
  const std::string name = space + "::";
  for (std::size_t at = 0; (at = code.find(name, at)) != std::string::npos; ++at)
    if (at == 0 || (!std::isalnum(static_cast<unsigned char>(code[at - 1])) && code[at - 1] != '_' &&
                    code[at - 1] != ':'))
      return true;
  return false;
}

// Marks the blocks that a variant uses. These are the blocks that its entry names and the block with the
// variant's own name. Blocks that a marked block names are marked, too.
std::vector<bool> used_blocks(const std::string& source, const std::vector<std::string>& lines,
                              const std::vector<Block>& blocks, const std::vector<std::string>& variants,
                              const std::string& variant) {
  std::vector<bool> used(blocks.size(), false);
  std::string code = entry_of(source, variants, variant) + "\n" + variant + "::";
  for (bool found = true; found;) {
    found = false;
    for (std::size_t at = 0; at < blocks.size(); ++at) {
      if (used[at] || !names_something_of(code, blocks[at].name)) continue;
      used[at] = found = true;
      for (std::size_t i = blocks[at].first; i <= blocks[at].last; ++i) code += '\n' + lines[i];
    }
  }
  return used;
}

}  // namespace

std::string source_of_variant(const std::string& source, const std::vector<std::string>& variants,
                              const std::string& variant) {
  std::vector<std::string> lines = lines_of(source);
  const std::vector<Block> blocks = blocks_of(lines);
  const std::vector<bool> used = used_blocks(source, lines, blocks, variants, variant);
  std::vector<bool> hidden(blocks.size(), false);
  for (const std::string& other : variants) {
    const std::vector<bool> used_by_other = used_blocks(source, lines, blocks, variants, other);
    for (std::size_t at = 0; at < blocks.size(); ++at)
      if (used_by_other[at] && !used[at]) hidden[at] = true;
  }
  for (std::size_t at = 0; at < blocks.size(); ++at)
    for (std::size_t i = blocks[at].first; hidden[at] && i <= blocks[at].last; ++i) lines[i].clear();
  return join(lines, "\n");
}

std::vector<CompilerNote> notes_within(const std::string& source, const std::string& file,
                                       const std::vector<CompilerNote>& notes) {
  const std::vector<std::string> lines = lines_of(source);
  std::vector<CompilerNote> within;
  for (const CompilerNote& note : notes) {
    const auto line = static_cast<std::size_t>(note.line);
    if (note.file != file || (line <= lines.size() && !lines[line - 1].empty())) within.push_back(note);
  }
  return within;
}

std::vector<CompilerNote> parse_notes(const std::string& text) {
  std::vector<CompilerNote> notes;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CompilerNote note;
    if (parse_note(line, &note)) notes.push_back(std::move(note));
  }
  return notes;
}

std::string meaning_of(const CompilerNote& note) {
  const std::string levels = between(note.text, "assigned OpenACC ", " loop parallelism");
  if (!levels.empty()) return meaning_of_levels(levels);
  if (contains(note.text, "beginning 'parloops' part"))
    return "the directive does not state independence, so the compiler searches the loop for dependences";
  if (contains(note.text, "parallelized loop nest in OpenACC 'kernels' region"))
    return "is parallel because the directive declares its iterations independent";
  if (contains(note.text, "data dependencies exist across iterations"))
    return "stays sequential: the compiler cannot rule out that an iteration needs another's result; "
           "declare `loop independent`, use `parallel loop`, or `reduction` for a sum";
  if (contains(note.text, "not parallelized: not searched"))
    return "stays sequential: the compiler searches a region only if it is a single loop nest; use `loop "
           "independent` or `parallel loop`";
  if (contains(note.text, "number of iterations not known"))
    return "stays sequential: the loop's counter and bound are in memory, where a store in the loop "
           "might change them; use `loop independent` or `parallel loop`";
  return {};
}

bool is_internal(const CompilerNote& note) { return contains(note.text, "made addressable"); }

std::vector<std::vector<ExplainedLine>> explain_source(const std::string& source, const std::string& file,
                                                       const std::vector<CompilerNote>& notes) {
  std::vector<ExplainedLine> lines;
  for (const std::string& line : lines_of(source))
    lines.push_back({static_cast<int>(lines.size()) + 1, line, {}});
  for (const CompilerNote& note : notes)
    if (note.file == file && note.line <= static_cast<int>(lines.size()))
      lines[static_cast<std::size_t>(note.line) - 1].notes.push_back(note);
  std::vector<std::vector<ExplainedLine>> parts;
  std::vector<ExplainedLine> part;
  bool wanted = false;
  const auto end_part = [&] {
    if (wanted) parts.push_back(std::move(part));
    part.clear();
    wanted = false;
  };
  for (ExplainedLine& line : lines) {
    if (line.text.empty()) {
      end_part();
      continue;
    }
    wanted = wanted || line.text.find("#pragma acc") != std::string::npos || !line.notes.empty();
    part.push_back(std::move(line));
  }
  end_part();
  return parts;
}

}  // namespace sextant
