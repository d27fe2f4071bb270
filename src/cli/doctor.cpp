// sextant doctor: checks machine, devices, models and libraries, and prints each finding with a remedy.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/join.hpp"
#include "base/nearest.hpp"
#include "cli/commands.hpp"
#include "cli/files/machine_session.hpp"
#include "cli/options/own.hpp"
#include "cli/options/selection.hpp"
#include "engine/process/compile_pool.hpp"
#include "engine/process/rank_command.hpp"
#include "engine/process/worker_command.hpp"
#include "engine/process/worker_questions.hpp"
#include "machine/diagnosis.hpp"
#include "own/compile/compile_device.hpp"
#include "own/kernel/load.hpp"
#include "plan/plan.hpp"
#include "present/links.hpp"
#include "present/table.hpp"
#include "present/terminal.hpp"
#include "present/wrap.hpp"
#include "run/compiled_only.hpp"
#include "run/sweep.hpp"

namespace sextant {
namespace {

struct DoctorOptions {
  SelectionOptions selection;
  std::vector<std::string> required;
  bool json = false;
};

// Returns a case of the variant with its default tuning, in the first type that it supports. The size is the
// first one that the kernel names. Otherwise it is 64 Ki elements, which every loaded kernel can use.
std::optional<Case> preferred_case(const Kernel& kernel, const Variant& variant) {
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32}) {
    if (!kernel.has(type) || !variant.launch[type] || !kernel.extents) continue;
    const std::int64_t n = kernel.sizes.empty() ? std::int64_t{1} << 16 : kernel.sizes.front();
    const Problem problem{n, type, kernel.extents(n), kernel.standard_parameters()};
    return Case{kernel.name,
                variant.name,
                "",
                problem,
                default_tuning(variant, problem),
                needs_gpu(variant) ? "gpu0" : "cpu"};
  }
  return {};
}

// Checks that the code of kernels loaded from source files compiles. The code is not run.
void add_compilations(const RegisteredKernel& entry, const Environment& environment,
                      std::vector<Finding>* findings) {
  const bool has_gpu = environment.contains("gpu0.name");
  CompilePool pool(worker_command(), has_gpu ? "" : arch_without_gpu);
  std::vector<Case> cases;
  for (const Variant& variant : entry.variants)
    if (variant.compile)
      if (const std::optional<Case> one = preferred_case(entry.kernel, variant)) cases.push_back(*one);
  pool.expect(cases, pool.most());
  pool.finish({});
  for (const Case& one : cases) {
    const std::string problem = pool.problem_of(one), name = one.kernel + " " + one.variant;
    const bool elsewhere = one.device != "cpu" && !has_gpu;
    if (problem.empty())
      findings->push_back({"load", Severity::ok,
                           name + " compiles" + (elsewhere ? std::string(" for ") + arch_without_gpu : ""),
                           ""});
    else
      findings->push_back({"load", own::lacks_compiler(problem) ? Severity::note : Severity::problem,
                           name + " " + problem, ""});
  }
}

// Checks the kernels of --load and SEXTANT_KERNELS: they must be readable, run correctly at small sizes, and
// compile.
void add_loads(const SelectionOptions& selection, const Environment& environment,
               std::vector<Finding>* findings) {
  try {
    load_own(selection.loads, selection.asked);
  } catch (const UserError& error) {
    findings->push_back({"load", Severity::problem, error.what(), ""});
    return;
  }
  for (const Loaded& one : loaded())
    for (const std::string& kernel : one.kernels) {
      const RegisteredKernel& entry = *find_kernel(kernel);
      const std::string variants = join(entry.variants, ", ", &Variant::name);
      findings->push_back({"load", Severity::ok,
                           one.path + ": " + kernel + " (" + variants + "); its functions run at small sizes",
                           ""});
      add_compilations(entry, environment, findings);
    }
}

Finding started_ranks(const WorkerCommand& command) {
  try {
    const bool takes = ask_for_gpu_memory(command);
    return {"ranks", Severity::ok,
            "problems can be divided among ranks (-d 2xcpu), started by " + command.arguments.front() +
                "; its MPI " +
                (takes ? "accepts addresses in GPU memory (cuda.mpi)"
                       : "does not report that it accepts addresses in GPU memory: cuda.mpi is left out, "
                         "cuda.mpi_staged copies through host memory"),
            ""};
  } catch (const UserError& error) {
    return {"ranks", Severity::note, std::string("no ranks (-d 2xcpu) can be started: ") + error.what(),
            "`mpirun -n 1 true` shows whether MPI works here; --launcher names another command"};
  }
}

// Checks that problems can run in several processes (ranks), and which libraries can transfer data between
// GPUs.
void add_ranks(std::vector<Finding>* findings) {
  const WorkerCommand worker = worker_command();
  if (const std::string why = why_no_ranks(worker.launcher); !why.empty())
    findings->push_back(
        {"ranks", Severity::note, why,
         "only ranks (-d 2xcpu) need it; install MPI (Debian/Ubuntu: apt install libopenmpi-dev "
         "openmpi-bin), then configure again and build all: cmake --build FOLDER"});
  else
    findings->push_back(started_ranks(command_of_ranks(worker, 1, 1)));
}

// Measures the bandwidth of the links between GPUs with peer access.
void add_links(const Environment& environment, std::vector<Finding>* findings) {
  const std::string team = team_of_gpus(environment);
  const bool reached = std::any_of(findings->begin(), findings->end(), [](const Finding& one) {
    return one.topic == "peers" && one.severity == Severity::ok;
  });
  if (team.empty() || !reached) return;
  try {
    for (const LinksView& links : links_views(ask_ceilings(worker_command(), team)))
      findings->push_back(links_finding(links.team + ": " + links.text, links.slow));
  } catch (const UserError& error) {
    findings->push_back({"links", Severity::problem, error.what(),
                         "`nvidia-smi topo -m` shows the links, `nvidia-smi` shows other users of the GPUs"});
  }
}

// Inspects the machine in a separate process, so that a driver that crashes or hangs becomes a finding and
// does not end this command.
Environment look_at_machine() { return ask_environment(worker_command()); }

Tone tone_of(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return Tone::good;
    case Severity::note:
      return Tone::warning;
    case Severity::problem:
      return Tone::bad;
  }
  return Tone::plain;
}

void print_text(const std::vector<Finding>& findings) {
  const Terminal terminal = inspect_terminal(STDOUT_FILENO);
  const bool colour = terminal.colour;
  constexpr int margin = 19, most_columns = 100;
  const auto print_lines = [&](std::string text) {
    const int columns = terminal.interactive ? std::min(terminal.columns, most_columns) : most_columns;
    const int room = std::max(columns - margin, margin);
    std::printf("%s\n", take_line(&text, static_cast<std::size_t>(room)).c_str());
    while (!text.empty())
      std::printf("%*s%s\n", margin, "", take_line(&text, static_cast<std::size_t>(room)).c_str());
  };
  for (const Finding& finding : findings) {
    const char* paint = !colour                                      ? ""
                        : tone_of(finding.severity) == Tone::good    ? "\033[32m"
                        : tone_of(finding.severity) == Tone::warning ? "\033[33m"
                                                                     : "\033[31m";
    std::printf("%s%-8s%s %-9s ", paint, name_of(finding.severity), colour ? "\033[0m" : "",
                finding.topic.c_str());
    print_lines(finding.text);
    if (finding.remedy.empty()) continue;
    std::printf("%*s", margin, "");
    print_lines("remedy: " + finding.remedy);
  }
}

void print_json(const std::vector<Finding>& findings) {
  Table table;
  table.columns = {{"topic"}, {"severity"}, {"text"}, {"remedy"}};
  for (const Finding& finding : findings)
    table.rows.push_back({finding.topic, name_of(finding.severity), finding.text,
                          finding.remedy.empty() ? Cell() : Cell(finding.remedy)});
  print(table, true);
}

ExitCode doctor(const DoctorOptions& options) {
  const std::vector<std::string> known = requirements();
  for (const std::string& name : options.required)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UserError(
          "`" + name + "` is not a value of --require." + did_you_mean(name, known) +
          " Choose `serial`, `openmp`, `stdpar`, `openacc`, `target`, `cuda`, `library` or `gpu`.");
  const Environment environment = look_at_machine();
  std::vector<Finding> findings = diagnose(environment);
  add_links(environment, &findings);
  add_ranks(&findings);
  add_loads(options.selection, environment, &findings);
  if (options.json)
    print_json(findings);
  else
    print_text(findings);
  for (const std::string& name : options.required)
    if (const auto why = unmet_requirement(environment, name))
      throw UserError(name + " is required, but cannot be used: " + as_sentence(*why) +
                          " The findings above say what to do.",
                      ExitCode::missing);
  const bool loaded = std::none_of(findings.begin(), findings.end(), [](const Finding& one) {
    return one.topic == "load" && one.severity == Severity::problem;
  });
  return loaded ? ExitCode::ok : ExitCode::check_failed;
}

}  // namespace

void add_doctor(Command app, int* exit_code) {
  Command command = app.add_subcommand("doctor", "Check what this machine lacks, and name remedies");
  const auto options = std::make_shared<DoctorOptions>();
  command
      .add_option("--require", options->required,
                  "Exit with code 5 if this programming model, or a GPU, cannot be used")
      .type_name("MODEL|gpu")
      .suggest({"gpu", "serial", "openmp", "openacc", "cuda", "library", "stdpar", "target"})
      .delimiter(',');
  options->selection.add_load(command);
  command.add_flag("--json", options->json, "Print the findings as JSON");
  command.footer(
      "Examples:\n"
      "  sextant doctor                     prints every finding with a remedy\n"
      "  sextant doctor --require cuda      exits with code 5 if CUDA cannot be used\n"
      "  sextant doctor --load saxpy.cu     checks that your own kernel loads and compiles\n"
      "Exit codes:\n"
      "  3   a kernel of `--load` failed its check\n"
      "  5   a required programming model or GPU cannot be used");
  command.callback([options, exit_code] { *exit_code = static_cast<int>(doctor(*options)); });
}

}  // namespace sextant
