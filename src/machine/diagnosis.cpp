#include "machine/diagnosis.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/plural.hpp"
#include "machine/fftw.hpp"
#include "machine/openblas.hpp"

namespace sextant {
namespace {

// The environment and the findings so far.
class Diagnosis {
 public:
  explicit Diagnosis(const Environment& environment) : environment_(environment) {}

  bool has(const std::string& key) const { return environment_.contains(key); }
  std::string text(const std::string& key) const {
    const auto found = environment_.find(key);
    return found == environment_.end() ? "" : found->second;
  }
  double number(const std::string& key) const {
    return std::strtod(text(key).c_str(), nullptr);
  }  // 0 if the key is missing
  int count(const std::string& key) const { return static_cast<int>(number(key)); }

  void ok(const std::string& topic, const std::string& what) {
    findings_.push_back({topic, Severity::ok, what, ""});
  }
  void note(const std::string& topic, const std::string& what, const std::string& remedy) {
    findings_.push_back({topic, Severity::note, what, remedy});
  }
  void problem(const std::string& topic, const std::string& what, const std::string& remedy) {
    findings_.push_back({topic, Severity::problem, what, remedy});
  }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  const Environment& environment_;
  std::vector<Finding> findings_;
};

std::string with_decimals(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string gibibytes(double bytes) { return with_decimals(bytes / (1 << 30), 1) + " GiB"; }

void look_at_build(Diagnosis* d) {
  const std::string version = "Sextant " + d->text("version") + ", revision " + d->text("git_revision");
  if (d->has("sanitizers"))
    d->note("build", version + ", with sanitizers: its times are not valid",
            "measure with a build of preset `gpu` or `cpu`");
  else if (const std::string type = d->text("build_type"); type == "Debug")
    d->note("build", version + ", a debug build: its times are not valid",
            "configure with -DCMAKE_BUILD_TYPE=Release");
  else
    d->ok("build", version);
}

void look_at_host(Diagnosis* d) {
  d->ok("machine", d->text("machine") + ": " + d->text("os") + ", " + d->text("os.kernel"));
  const int cores = d->count("cpu.cores"), threads = d->count("cpu.threads");
  d->ok("cpu", d->text("cpu") + ": " + plural(cores, "core") + " in " +
                   plural(d->count("cpu.sockets"), "socket") + ", " + plural(threads, "thread") + ", " +
                   gibibytes(d->number("memory")) + " of memory");
  if (d->has("cpu.level"))
    d->ok("cpu", "variants compiled for " + d->text("cpu.level") +
                     ", the highest installed level that this processor supports");
  if (d->has("virtual"))
    d->note(
        "cpu",
        std::string("this is a virtual machine: other guests share its caches, memory and clock") +
            (d->has("cpu.governor") || d->has("cpu.turbo") ? ""
                                                           : ", and only the host knows governor and turbo"),
        "use a physical machine for figures to publish");
  if (cores > 0 && cores < 4)
    d->note("cpu",
            "only " + plural(cores, "core") + ": memory bandwidth and OpenMP speed-up are not representative",
            "compare models on a machine with more cores");
  const double available = d->number("memory.available"), limit = d->number("memory.limit");
  const double memory = limit > 0 ? std::min(available, limit) : available;
  if (available > 0 && memory < 2.0 * (1 << 30))
    d->note("memory", "only " + gibibytes(memory) + " are available",
            "choose sizes that fit; larger ones are rejected before they start");
}

bool are_threads_bound(const Diagnosis& d) {
  return d.has("env.OMP_PROC_BIND") || d.has("env.OMP_PLACES") || d.has("env.GOMP_CPU_AFFINITY");
}

void look_at_clock(Diagnosis* d) {
  const std::string governor = d->text("cpu.governor");
  if (governor == "powersave" || governor == "ondemand" || governor == "conservative")
    d->note("governor",
            "`" + governor +
                "` raises the clock only after milliseconds of work: times of short calls may be too long "
                "and vary between runs",
            "sudo cpupower frequency-set -g performance");
  else if (!governor.empty())
    d->ok("governor", "`" + governor + "`: the clock stays high");
  if (d->text("cpu.turbo") == "on")
    d->note("turbo",
            "on: one busy core has a higher clock than many, so the speed-up of threads is lower; times "
            "drift with the temperature",
            "leave it on for realistic times; to compare small differences: echo 1 | sudo tee "
            "/sys/devices/system/cpu/intel_pstate/no_turbo, or echo 0 | sudo tee "
            "/sys/devices/system/cpu/cpufreq/boost");
  else if (d->has("cpu.turbo"))
    d->ok("turbo", "off: the clock does not depend on the number of busy cores");
}

// Warns about simultaneous multithreading (SMT), in which two threads on a core share its execution units.
void look_at_smt(Diagnosis* d) {
  const int threads = d->count("openmp.threads"), cores = d->count("cpu.cores"),
            usable = d->count("cpu.usable");
  // Counts only the processors that this process may use.
  const bool shared = d->count("cpu.threads") > cores;
  if (!shared && d->has("cpu.smt"))
    d->ok("smt", d->text("cpu.smt") + ": no two threads that this process may use share a core");
  if (!shared || cores == 0 || threads == 0) return;
  const std::string remedy = "OMP_NUM_THREADS=" + std::to_string(cores) + " OMP_PLACES=cores";
  if (threads > cores && threads <= usable)
    d->note("smt",
            plural(threads, "thread") + " on " + plural(cores, "core") +
                ": two threads share a core's execution units, so each is slower; memory-bound kernels gain "
                "nothing",
            "compare with " + remedy);
  else if (!are_threads_bound(*d))
    d->note("smt",
            "on, and threads are not bound: two may share a core while another core is idle, so times vary "
            "between runs",
            remedy);
  else
    d->ok("smt", "on; threads are bound");
}

// Checks whether other programs or a control group's quota limit the processor time.
void look_at_processor_time(Diagnosis* d) {
  const int cores = d->count("cpu.cores"), threads = d->count("openmp.threads");
  const double load = d->number("load"), limit = d->number("cpu.limit");
  const std::string on_cores = "load " + with_decimals(load, 2) + " on " + plural(cores, "core");
  if (cores > 0 && load > 0.25 * cores)
    d->note("busy",
            "other programs are running (" + on_cores +
                "): they share processor time with the measurement, so times are longer and vary between "
                "runs, most of all for threads",
            "measure on a quiet machine (`top` shows what runs); `sextant run` marks noisy cases");
  else if (cores > 0 && d->has("load"))
    d->ok("busy", "other programs use little processor time (" + on_cores + ")");
  if (limit > 0 && threads > 0 && limit < threads - 0.01)
    d->problem("quota",
               "the control group allows " + with_decimals(limit, 1) + " processors, but OpenMP has " +
                   plural(threads, "thread") +
                   ": the system stops them for a part of each 0.1 s, so times are several times too long",
               "OMP_NUM_THREADS=" + std::to_string(std::max(1, static_cast<int>(limit))) +
                   ", or raise the container's limit (docker --cpus, Slurm --cpus-per-task)");
  else if (limit > 0)
    d->ok("quota", "the control group allows " + with_decimals(limit, 1) + " processors, enough for " +
                       plural(threads, "thread"));
  else
    d->ok("quota", "no control group limits processor time");
}

void look_at_openmp(Diagnosis* d) {
  const int threads = d->count("openmp.threads"), usable = d->count("cpu.usable"),
            cores = d->count("cpu.cores");
  if (threads == 0) return;
  if (usable > 0 && threads > usable) {
    d->problem("openmp", plural(threads, "thread") + " on " + plural(usable, "usable processor"),
               "OMP_NUM_THREADS=" + std::to_string(usable));
  } else if (threads < cores) {
    d->note("openmp", plural(threads, "thread") + " on " + plural(cores, "core"),
            "unset OMP_NUM_THREADS, unless you want to measure a part of the machine");
  } else {
    d->ok("openmp", plural(threads, "thread"));
  }
  if (!are_threads_bound(*d) && d->count("cpu.numa_nodes") > 1)
    d->note("openmp",
            "threads may move between " + plural(d->count("cpu.numa_nodes"), "NUMA node") +
                ", away from their data: bandwidths are lower in some runs",
            "OMP_PROC_BIND=spread OMP_PLACES=cores");
}

std::string remedy_of_model(const std::string& model, const std::string& reason) {
  std::string upper = model;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  if (reason.find("switched off") != std::string::npos)
    return "configure with -DSEXTANT_" + upper + "=ON (preset `gpu` has every model)";
  if (model == "cuda")
    return "install the CUDA toolkit, put nvcc on PATH or set CUDACXX, then configure and build again";
  if (model == "stdpar") return "Debian/Ubuntu: apt install libtbb-dev; then configure and build again";
  if (model == "openacc")
    return "Debian/Ubuntu: apt install gcc-12-offload-nvptx libgomp-plugin-nvptx1; or set another "
           "compiler with -DSEXTANT_OPENACC_COMPILER; then configure and build again";
  if (model == "target")
    return "Debian/Ubuntu: apt install gcc-12-offload-nvptx libgomp-plugin-nvptx1; or set another "
           "compiler with -DSEXTANT_TARGET_COMPILER; then configure and build again";
  return "install the missing software, then configure and build again";
}

// Checks that the libraries that serve as baselines use as many threads as OpenMP does.
void look_at_libraries(Diagnosis* d) {
  for (const std::string library : {"openblas", "fftw"}) {
    const int threads = d->count(library + ".threads"), wanted = d->count("openmp.threads");
    if (threads == 0) continue;
    const int limit = library == "openblas" ? openblas_thread_limit(d->text("openblas")) : 0;
    if (threads < wanted)
      d->note("library",
              library + " runs on " + plural(threads, "thread") + ", OpenMP on " + std::to_string(wanted),
              limit > 0 && threads == limit
                  ? "install an OpenBLAS that is built for more threads (NUM_THREADS); "
                    "this build has at most " +
                        std::to_string(limit)
              : library == "openblas" ? "unset OPENBLAS_NUM_THREADS"
                                      : "install FFTW's OpenMP library (fftw3_omp)");
    else
      d->ok("library", library + ": " + plural(threads, "thread"));
  }
  if (const std::string vectors =
          vectors_that_fftw_lacks(d->text("fftw"), vector_instructions_of_this_processor());
      !vectors.empty())
    d->note("library", "fftw was built without " + vectors + ", which this processor has",
            "build FFTW with --enable-" + std::string(vectors == "AVX2" ? "avx2" : "avx512") +
                ", to compare with its fastest code");
  const std::string kernels = openblas_kernels(d->text("openblas")),
                    better = better_openblas_kernels(kernels);
  if (!better.empty())
    d->note("library",
            "openblas uses the kernels of a " + kernels + ", without this processor's vector instructions",
            d->text("env.OPENBLAS_CORETYPE") == better
                ? "install a newer OpenBLAS that supports this processor"
                : "unset OPENBLAS_CORETYPE: Sextant sets it to " + better);
}

void look_at_models(Diagnosis* d, const Environment& environment) {
  for (const char* name : {"serial", "openmp", "stdpar", "openacc", "target", "cuda", "library"}) {
    const std::string model = name;
    const bool on_gpu = model == "cuda" || model == "openacc" || model == "target";
    if (d->has("compiler." + model) && on_gpu && d->count("gpus") == 0)
      d->note(
          model,
          "built with " + d->text("compiler." + model) + ", but there is no device: its cases are skipped",
          "nothing to do on a machine without a GPU; otherwise see `gpu` below");
    else if (d->has("compiler." + model))
      d->ok(model, "built with " + d->text("compiler." + model));
    else if (d->has("left_out." + model))
      d->note(model, "left out of this build: " + d->text("left_out." + model),
              remedy_of_model(model, d->text("left_out." + model)));
  }
  const std::string prefix = "left_out.library.";
  for (auto entry = environment.lower_bound(prefix);
       entry != environment.end() && entry->first.starts_with(prefix); ++entry)
    // The CUDA check already reports this one.
    if (entry->second != d->text("left_out.cuda") || !d->has("left_out.cuda"))
      d->note("library", entry->first.substr(prefix.size()) + " is left out: " + entry->second,
              "install it, then configure and build again");
}

std::string remedy_of_missing_gpu(const Diagnosis& d, const std::string& why) {
  if (d.has("env.CUDA_VISIBLE_DEVICES"))
    return "unset CUDA_VISIBLE_DEVICES (it is `" + d.text("env.CUDA_VISIBLE_DEVICES") + "`)";
  if (why.find("this build needs") != std::string::npos)
    return "update the NVIDIA driver, or build with a CUDA toolkit that the driver supports";
  return "check that `nvidia-smi` lists the GPU; if not, repair the driver (after a kernel or driver "
         "update, restart); in a container pass --gpus all (Apptainer: --nv)";
}

void look_for_gpus(Diagnosis* d) {
  const int found = d->count("gpus"), installed = d->count("driver.gpus");
  const std::string why = d->text("gpus.missing");
  if (found > 0) return;
  if (installed > 0 && d->has("left_out.cuda"))
    d->note("gpu", "there is a GPU (" + d->text("driver.gpu") + "), but CUDA is not in this build",
            remedy_of_model("cuda", d->text("left_out.cuda")));
  else if (installed > 0)
    d->problem("gpu", "the driver finds " + plural(installed, "GPU") + ", but CUDA cannot use it: " + why,
               remedy_of_missing_gpu(*d, why));
  else if (why.find("this build needs") != std::string::npos || d->has("env.CUDA_VISIBLE_DEVICES"))
    d->problem("gpu", "no usable GPU: " + why, remedy_of_missing_gpu(*d, why));
  else
    d->note("gpu", "no NVIDIA GPU: " + (d->has("left_out.cuda") ? d->text("nvml.missing") : why),
            "nothing to do on a machine without a GPU: GPU cases are skipped. Otherwise install the driver, "
            "so that `nvidia-smi` lists the GPU; in a container pass --gpus all (Apptainer: --nv)");
}

// Checks whether several GPUs can access each other's memory.
void look_at_peers(Diagnosis* d) {
  const int gpus = d->count("gpus");
  std::string apart;
  for (int index = 0; gpus > 1 && index < gpus; ++index) {
    const std::string gpu = "gpu" + std::to_string(index), peers = "," + d->text(gpu + ".peers") + ",";
    if (!d->has(gpu + ".peers")) return;
    for (int other = 0; other < gpus; ++other)
      if (other != index && peers.find("," + std::to_string(other) + ",") == std::string::npos)
        apart += (apart.empty() ? "" : ", ") + gpu + " to gpu" + std::to_string(other);
  }
  const std::string last = std::to_string(gpus - 1);
  if (gpus > 1 && apart.empty())
    d->ok("peers", "all " + plural(gpus, "GPU") +
                       " access each other's memory: one problem can use them all (-d gpu0-" + last + ")");
  else if (gpus > 1)
    d->note("peers", "some GPUs cannot access each other's memory: " + apart,
            "copies between them go through the host, and cuda.peers variants are left out; `nvidia-smi topo "
            "-m` shows the links; in a virtual machine, enable them on the host");
}

void look_at_gpu(Diagnosis* d, const std::string& gpu) {
  const auto number = [&](const char* key) { return d->number(gpu + "." + key); };
  const auto text = [&](const char* key) { return d->text(gpu + "." + key); };
  std::string what = text("name") + ": compute capability " + text("compute_capability") + ", " +
                     plural(static_cast<int>(number("multiprocessors")), "multiprocessor") + ", " +
                     gibibytes(number("memory"));
  if (!text("driver").empty()) what += ", driver " + text("driver");
  if (number("max_clock") > 0) what += ", up to " + with_decimals(number("max_clock") * 1e-6, 0) + " MHz";
  d->ok(gpu, what);
  if (text("compute_mode") == "prohibited")
    d->problem(gpu, "its compute mode prohibits programs", "ask the administrator for `nvidia-smi -c 0`");
  if (number("processes") > 1 || number("utilisation") > 0.1)
    d->note(gpu,
            "other processes use it: " + plural(static_cast<int>(number("processes")), "process") + ", " +
                with_decimals(number("utilisation") * 100, 0) + " % busy",
            "see `nvidia-smi`; measure when the GPU is free");
  if (!text("throttle_reasons").empty())
    d->note(gpu, "its clock is throttled while idle: " + text("throttle_reasons"),
            "check cooling and power supply; `nvidia-smi -q -d PERFORMANCE` shows details");
  if (number("temperature") > 80)
    d->note(gpu, "it is hot while idle: " + with_decimals(number("temperature"), 0) + " °C",
            "check its cooling");
  if (text("persistence") == "off")
    d->note(gpu, "persistence mode is off: a program's first call waits for the driver to load",
            "sudo nvidia-smi -pm 1");
  if (number("pcie_width") > 0 && number("pcie_width") < number("max_pcie_width"))
    d->note(gpu,
            "its PCIe link uses " + text("pcie_width") + " of " + text("max_pcie_width") +
                " lanes: transfers are slower",
            "try another slot");
}

std::string remedy_of_activity(const std::string& why) {
  if (why.find("PRIVILEGES") != std::string::npos)
    return "allow users to profile: set NVreg_RestrictProfilingToAdminUsers=0 for the nvidia kernel "
           "module, or run with CAP_SYS_ADMIN (containers: --cap-add SYS_ADMIN)";
  if (why.find("MULTIPLE_SUBSCRIBERS") != std::string::npos) return "stop the other profiler or sanitizer";
  if (why.find("libcupti") != std::string::npos)
    return "install the CUDA toolkit's CUPTI (cuda-cupti), or add its folder to LD_LIBRARY_PATH";
  return "install matching releases of driver and toolkit";
}

// Returns the remedy if the run-time library of a programming model finds no GPU. `library` is the file name
// of the OpenMP run-time library, or "" if unknown.
std::string remedy_of_offloading(const std::string& model, std::string library) {
  if (library.starts_with("libomp.so")) {  // LLVM's run time, which does not support OpenACC
    if (model == "target")
      return "libomptarget.rtl.cuda.so (of libomptarget's release) and the driver's libcuda.so must be found "
             "by these names: apt install libomp-16-dev, or add their folders to LD_LIBRARY_PATH";
    library.clear();
  }
  return "libgomp-plugin-nvptx.so.1 must be of the same GCC release as " +
         (library.empty() ? "libgomp.so.1" : library) +
         " and be found: apt install libgomp-plugin-nvptx1, or add its folder to LD_LIBRARY_PATH";
}

// Checks the run-time libraries that execute OpenACC and OpenMP target directives on the GPU. Each needs a
// plugin of the same release.
void look_at_offloading(Diagnosis* d) {
  const struct {
    const char *model, *gpus, *host;
  } models[] = {{"openacc", "openacc.gpus", "one thread"}, {"target", "target.gpus", "its threads"}};
  for (const auto& [model, gpus, host] : models) {
    if (!d->has(std::string("compiler.") + model)) continue;
    if (d->count(gpus) > 0)
      d->ok(model, "its run time sees " + plural(d->count(gpus), "GPU"));
    else
      d->problem(model, std::string("its run time sees no GPU: regions would run on the host, on ") + host,
                 remedy_of_offloading(model, d->has("openmp.library") ? d->text("openmp.library") : ""));
  }
  if (d->has("compiler.openacc") && d->text("env.ACC_DEVICE_TYPE") == "host")
    d->note("openacc", "ACC_DEVICE_TYPE=host keeps it on the host", "unset ACC_DEVICE_TYPE");
  if (d->has("compiler.target") && d->text("env.OMP_TARGET_OFFLOAD") == "DISABLED")
    d->note("target", "OMP_TARGET_OFFLOAD=DISABLED keeps it on the host", "unset OMP_TARGET_OFFLOAD");
}

void look_at_gpu_models(Diagnosis* d) {
  if (d->count("gpus") == 0) return;
  if (const std::string code = d->text("cuda.code"); !code.empty() && code != "ok") {
    std::string capability = d->text("gpu0.compute_capability");
    std::erase(capability, '.');
    d->problem("cuda", "this build has no code for the GPU: " + code,
               "configure with -DCMAKE_CUDA_ARCHITECTURES=" + capability + " and build again");
  } else if (d->has("cuda")) {
    d->ok("cuda", "run time " + d->text("cuda") + "; the driver supports " + d->text("cuda.driver"));
  }
  look_at_offloading(d);
  if (d->text("activity") == "ok")
    d->ok("activity", "CUPTI records the GPU's activity");
  else if (d->has("activity"))
    d->note("activity", "device times come from events instead of CUPTI's records: " + d->text("activity"),
            remedy_of_activity(d->text("activity")));
}

}  // namespace

Finding links_finding(const std::string& measured, const std::string& slow) {
  if (slow.empty()) return {"links", Severity::ok, measured, ""};
  return {"links", Severity::note, measured + "; slower than the fastest pair: " + slow,
          "`nvidia-smi topo -m` shows the connection, `nvidia-smi nvlink -s` shows links that are down; a "
          "problem on these GPUs runs at the speed of the slowest pair"};
}

std::vector<Finding> diagnose(const Environment& environment) {
  Diagnosis d(environment);
  look_at_build(&d);
  look_at_host(&d);
  look_at_clock(&d);
  look_at_smt(&d);
  look_at_processor_time(&d);
  look_at_models(&d, environment);
  look_at_openmp(&d);
  look_at_libraries(&d);
  look_for_gpus(&d);
  for (int index = 0; index < d.count("gpus"); ++index) look_at_gpu(&d, "gpu" + std::to_string(index));
  look_at_peers(&d);
  look_at_gpu_models(&d);
  return d.take();
}

std::vector<std::string> requirements() {
  return {"serial", "openmp", "stdpar", "openacc", "target", "cuda", "library", "gpu"};
}

std::optional<std::string> unmet_requirement(const Environment& environment, const std::string& requirement) {
  const Diagnosis d(environment);
  if (requirement != "gpu" && !d.has("compiler." + requirement)) {
    const std::string reason = d.text("left_out." + requirement);
    return requirement + " is not in this build" + (reason.empty() ? "" : ": " + reason);
  }
  const bool on_gpu =
      requirement == "gpu" || requirement == "cuda" || requirement == "openacc" || requirement == "target";
  if (on_gpu && d.count("gpus") == 0)
    return requirement == "gpu" ? "there is no usable GPU: " + d.text("gpus.missing")
                                : requirement + " has no GPU here: " + d.text("gpus.missing");
  if (requirement == "cuda" && d.has("cuda.code") && d.text("cuda.code") != "ok")
    return "this build has no code for the GPU: " + d.text("cuda.code");
  if (requirement == "openacc" && d.count("openacc.gpus") == 0) return "OpenACC's run time sees no GPU";
  if (requirement == "target" && d.count("target.gpus") == 0) return "OpenMP's run time sees no GPU";
  return std::nullopt;
}

}  // namespace sextant
