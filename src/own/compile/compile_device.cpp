#include "own/compile/compile_device.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sstream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "own/compile/cache.hpp"
#include "own/compile/cubin.hpp"
#include "own/compile/kept_images.hpp"
#include "own/compile/nvcc.hpp"
#include "own/compile/nvrtc.hpp"

namespace sextant::own {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> options_for(const Instance& instance, const std::string& arch) {
  std::vector<std::string> options = {"-arch=" + arch, "-std=c++20", "-lineinfo"};
  for (const auto& [name, value] : defines_of(instance)) options.push_back("-D" + name + "=" + value);
  for (std::string& one : options_of(instance)) options.push_back(std::move(one));
  if (!instance.variant.compilation.nvcc)
    for (const std::string& folder : cuda_include_folders()) options.push_back("-I" + folder);
  return options;
}

constexpr const char* no_compiler = "cannot be compiled: there is no ";
constexpr int timed_out = 3;  // exit code of the child process if the compiler exceeded its time limit
// Seconds that the parent process waits beyond the time limit; normally the child stops nvcc.
constexpr double nvcc_grace = 5;

// The compilation of one instance: its image and the process that makes it.
struct Job {
  const Instance* instance = nullptr;
  std::vector<std::string> options;
  std::string source, image;
  pid_t child = -1;
  int input = -1;
  double end = 0;
  std::string log;
};

// Compiles with nvcc in the child process. compile_here does the same with NVRTC.
int run_nvcc_here(const Job& job, int output) {
  const std::string source = job.image + ".cu", temporary = job.image + ".made", rule = job.image + ".d";
  const auto say = [&](const std::string& text) { return write(output, text.data(), text.size()) >= 0; };
  if (!write_file(source, job.source)) return 2;
  const Ended ended = run_nvcc(job.options, source, temporary, rule);
  std::string rule_text, cubin;
  read_file(rule, &rule_text);
  std::error_code ignored;
  fs::remove(rule, ignored);
  if (!ended.started) return say("error: there is no " + nvcc() + " (set CUDACXX to one)") ? 1 : 2;
  if (ended.timed_out) return timed_out;
  if (ended.signal != 0)
    return say("error: nvcc was killed by signal " + std::to_string(ended.signal)) ? 1 : 2;
  if (!ended.well()) return say(ended.log) ? 1 : 2;
  if (!read_file(temporary, &cubin)) return 2;
  fs::remove(temporary, ignored);
  std::string names;
  const std::vector<const DescribedStep*> steps = job.instance->variant.steps();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string kernel = named_kernel(cubin, i);
    if (kernel.empty()) return say("error: there is no " + steps[i]->function) ? 1 : 2;
    names += kernel + "\n";
  }
  for (const DescribedConstant& one : job.instance->variant.constants) names += one.symbol + "\n";
  remember_included(job.image, dependencies(rule_text));
  return write_file(job.image + ".names", names) && write_file(job.image, cubin) ? 0 : 2;
}

// Compiles in the child process. Writes the kernel names and the image to the cache, and the log to `output`.
// The image is written last, so that an existing image is complete.
int compile_here(const Job& job, int output) {
  const ImageLock lock(job.image);
  if (is_cached(job.image)) return 0;
  if (job.instance->variant.compilation.nvcc) return run_nvcc_here(job, output);
  const Nvrtc& with = nvrtc();
  const auto say = [&](const std::string& text) { return write(output, text.data(), text.size()) >= 0; };
  Nvrtc::Program program = nullptr;
  std::vector<std::string> names;
  for (const DescribedStep* one : job.instance->variant.steps()) names.push_back(one->function);
  for (const DescribedConstant& one : job.instance->variant.constants) names.push_back("&" + one.symbol);
  if (with.create(&program, job.source.c_str(), "sextant.cu", 0, nullptr, nullptr) != 0) return 1;
  for (const std::string& one : names) with.add_name(program, one.c_str());
  std::vector<const char*> options = {"-default-device"};
  for (const std::string& one : job.options) options.push_back(one.c_str());
  const int result = with.compile(program, static_cast<int>(options.size()), options.data());
  std::size_t size = 0;
  with.log_size(program, &size);
  std::string log(size, '\0');
  if (size > 0) with.log(program, log.data());
  while (!log.empty() && log.back() == '\0') log.pop_back();
  if (result != 0) return say(log) ? 1 : 2;
  std::string lowered;
  for (const std::string& one : names) {
    const char* name = nullptr;
    if (with.lowered_name(program, one.c_str(), &name) != 0) return say("error: there is no " + one) ? 1 : 2;
    lowered += std::string(name) + "\n";
  }
  with.cubin_size(program, &size);
  std::string cubin(size, '\0');
  if (with.cubin(program, cubin.data()) != 0) return 1;
  remember_included(job.image, {});
  return write_file(job.image + ".names", lowered) && write_file(job.image, cubin) ? 0 : 2;
}

// Forks a child that compiles, so that a crash of the compiler ends only the child.
void start(Job* job) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  job->child = fork();
  if (job->child == 0) {
    setpgid(0, 0);
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT})
      ::signal(signal, SIG_DFL);
    _exit(compile_here(*job, ends[1]));
  }
  close(ends[1]);
  job->input = ends[0];
  job->end = now() + compile_seconds + (job->instance->variant.compilation.nvcc ? nvcc_grace : 0);
}

std::string ending(Job* job, bool in_time) {
  if (!in_time) kill(job->child, SIGKILL);
  int status = 0;
  while (waitpid(job->child, &status, 0) < 0 && errno == EINTR) {
  }
  close(job->input);
  if (!in_time || (WIFEXITED(status) && WEXITSTATUS(status) == timed_out))
    return "was not compiled within " + std::to_string(static_cast<int>(compile_seconds)) + " s";
  if (WIFSIGNALED(status))
    return "was not compiled: NVRTC was killed by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == 0) return "";
  const fs::path folder = fs::absolute(fs::path(job->instance->description.folder)).lexically_normal();
  const bool by_nvcc = job->instance->variant.compilation.nvcc;
  const std::string options = " " + shell_text(job->options);
  const std::string log_file = job->image + ".log";
  write_file(log_file,
             label_of(*job->instance) + (by_nvcc ? "\nnvcc" : "\nNVRTC") + options + "\n" + job->log);
  write_file(job->image + ".cu", by_nvcc ? job->source : job->source + naming_of(*job->instance));
  return "does not compile: " + first_error(job->log, folder.string()) + "; all messages: " + log_file +
         "; to repeat: nvcc -cubin" + options + " " + job->image + ".cu";
}

// Waits until a running job writes output or ends. Stores the result of each job that has ended.
void wait_for_any(std::vector<Job*>* running, std::vector<std::string>* problems,
                  const std::vector<Job>& all) {
  std::vector<pollfd> waiting;
  double first_end = (*running)[0]->end;
  for (const Job* one : *running) {
    waiting.push_back({one->input, POLLIN, 0});
    first_end = std::min(first_end, one->end);
  }
  poll(waiting.data(), waiting.size(), std::max(1, static_cast<int>((first_end - now()) * 1000)));
  for (std::size_t i = waiting.size(); i-- > 0;) {
    Job* job = (*running)[i];
    char part[4096];
    const ssize_t got = waiting[i].revents ? read(job->input, part, sizeof part) : -1;
    if (got > 0) job->log.append(part, static_cast<std::size_t>(got));
    if (got != 0 && now() < job->end) continue;
    (*problems)[static_cast<std::size_t>(job - all.data())] = ending(job, got == 0);
    running->erase(running->begin() + static_cast<std::ptrdiff_t>(i));
  }
}

DeviceImage finished(const Job& job, const std::string& problem) {
  DeviceImage image;
  image.problem = problem;
  std::string names, cubin;
  if (!problem.empty()) return image;
  if (!read_file(job.image, &cubin) || !read_file(job.image + ".names", &names)) {
    image.problem = "cannot be compiled: cannot write " + job.image;
    return image;
  }
  std::istringstream lines(names);
  const std::vector<const DescribedStep*> steps = job.instance->variant.steps();
  for (std::string line; std::getline(lines, line);)
    (image.kernels.size() < steps.size() ? image.kernels : image.symbols).push_back(line);
  image.kernels.resize(steps.size());
  for (std::size_t i = 0; i < steps.size() && image.problem.empty(); ++i)
    image.problem = why_no_fit(*job.instance, *steps[i], parameter_sizes(cubin, image.kernels[i]));
  if (image.problem.empty()) image.path = job.image;
  return image;
}

}  // namespace

std::string why_no_nvrtc() {
  const std::string& problem = nvrtc().library.problem;
  return problem.empty() ? "" : no_compiler + ("NVRTC: " + problem);
}

bool lacks_compiler(const std::string& problem) { return problem.starts_with(no_compiler); }

std::string device_source(const Instance& instance) {
  std::string text = std::string("using T = ") + name_of(instance.type) + ";\n";
  for (const std::string& one : instance.variant.compilation.files)
    text += "#include \"" +
            fs::absolute(fs::path(instance.description.folder) / one).lexically_normal().string() + "\"\n";
  if (instance.variant.compilation.nvcc) text += naming_of(instance);
  return text;
}

std::vector<DeviceImage> compile_device(std::span<const Instance> instances, const std::string& arch,
                                        int workers) {
  const bool by_nvrtc = std::any_of(instances.begin(), instances.end(),
                                    [](const Instance& one) { return !one.variant.compilation.nvcc; });
  if (const std::string missing = why_no_nvrtc(); by_nvrtc && !missing.empty())
    return std::vector<DeviceImage>(instances.size(), DeviceImage{"", missing, {}, {}});
  if (!by_nvrtc && nvcc_version().empty())
    return std::vector<DeviceImage>(instances.size(),
                                    DeviceImage{"", no_compiler + nvcc() + " (set CUDACXX to one)", {}, {}});
  std::vector<Job> jobs;
  for (const Instance& instance : instances) {
    Job job;
    job.instance = &instance;
    job.options = options_for(instance, arch);
    job.source = device_source(instance);
    Hash hash;
    hash.add(job.source)
        .add(source_text(instance.description, instance.variant))
        .add(instance.variant.compilation.nvcc ? nvcc_version() : nvrtc().version_text())
        .add("steps");  // excludes images of an older format, which name only one kernel
    for (const DescribedStep* one : instance.variant.steps()) hash.add(one->function);
    for (const DescribedConstant& one : instance.variant.constants) hash.add(one.symbol);
    for (const std::string& one : job.options) hash.add(one);
    job.image = (cache_folder() /
                 (instance.description.name + "." + instance.variant.name + "." + hash.hex() + ".cubin"))
                    .string();
    jobs.push_back(std::move(job));
  }
  std::vector<std::string> problems(jobs.size());
  std::vector<Job*> running;
  for (Job& job : jobs) {
    if (is_cached(job.image)) continue;
    start(&job);
    if (job.child < 0) {
      problems[static_cast<std::size_t>(&job - jobs.data())] =
          "was not compiled: no process could be started";
      continue;
    }
    running.push_back(&job);
    while (static_cast<int>(running.size()) >= std::max(1, workers)) wait_for_any(&running, &problems, jobs);
  }
  const bool made = !running.empty();
  while (!running.empty()) wait_for_any(&running, &problems, jobs);
  if (made) keep_cache_limit();
  std::vector<DeviceImage> images;
  for (std::size_t i = 0; i < jobs.size(); ++i) images.push_back(finished(jobs[i], problems[i]));
  return images;
}

}  // namespace sextant::own
