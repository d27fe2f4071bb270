#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <array>

#include "device/device.hpp"
#include "trace/counters.hpp"
#include "trace/cupti_library.hpp"

namespace sextant {
namespace {

// Calls CUPTI's functions by name. Each takes a struct that contains its own size, which tells CUPTI its
// version.
class Profiler {
 public:
  Profiler() {
    if (!cupti_library().found())
      throw DeviceError("libcupti was not found (" + cupti_library().problem + ")");
  }

  // Returns CUPTI's result code instead of throwing.
  template <typename Parameters>
  CUptiResult ask(const char* function, Parameters* parameters) const {
    CUptiResult (*call)(Parameters*) = nullptr;
    if (!cupti_library().find(function, &call))
      throw DeviceError(std::string("this libcupti has no range profiler (") + function + " is missing)");
    return call(parameters);
  }

  template <typename Parameters>
  void operator()(const char* function, Parameters* parameters) const {
    const CUptiResult result = ask(function, parameters);
    if (result == CUPTI_SUCCESS) return;
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
      throw DeviceError(
          "the driver allows counters only for administrators: run as root, or set the nvidia module's "
          "option NVreg_RestrictProfilingToAdminUsers=0");
    throw DeviceError(std::string(function) + ": CUPTI says " + text_of(result));
  }

 private:
  static std::string text_of(CUptiResult result) {
    CUptiResult (*describe)(CUptiResult, const char**) = nullptr;
    const char* text = nullptr;
    if (cupti_library().find("cuptiGetResultString", &describe)) describe(result, &text);
    return text ? text : "error " + std::to_string(static_cast<int>(result));
  }
};

template <typename Parameters>
Parameters sized(std::size_t size) {
  Parameters parameters{};
  parameters.structSize = size;
  return parameters;
}
#define SEXTANT_PARAMETERS(type) sized<type>(type##_STRUCT_SIZE)

CUcontext current_context() {
  static DynamicLibrary driver({"libcuda.so.1", "libcuda.so"});
  CUresult (*current)(CUcontext*) = nullptr;
  CUcontext context = nullptr;
  if (!driver.find("cuCtxGetCurrent", &current) || current(&context) != CUDA_SUCCESS || !context)
    throw DeviceError("this thread uses no GPU");
  return context;
}

// The counters that a GPU offers, and the configuration for reading them.
class Host {
 public:
  Host(const Profiler& profiler, int gpu, CUcontext context) : profiler_(profiler) {
    auto chip = SEXTANT_PARAMETERS(CUpti_Device_GetChipName_Params);
    chip.deviceIndex = static_cast<std::size_t>(gpu);
    profiler_("cuptiDeviceGetChipName", &chip);
    auto availability = SEXTANT_PARAMETERS(CUpti_Profiler_GetCounterAvailability_Params);
    availability.ctx = context;
    profiler_("cuptiProfilerGetCounterAvailability", &availability);
    available_.resize(availability.counterAvailabilityImageSize);
    availability.pCounterAvailabilityImage = available_.data();
    profiler_("cuptiProfilerGetCounterAvailability", &availability);
    auto initialise = SEXTANT_PARAMETERS(CUpti_Profiler_Host_Initialize_Params);
    initialise.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    initialise.pChipName = chip.pChipName;
    initialise.pCounterAvailabilityImage = available_.data();
    profiler_("cuptiProfilerHostInitialize", &initialise);
    object_ = initialise.pHostObject;
    add_metrics();
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() {
    auto end = SEXTANT_PARAMETERS(CUpti_Profiler_Host_Deinitialize_Params);
    end.pHostObject = object_;
    profiler_.ask("cuptiProfilerHostDeinitialize", &end);
  }

  std::vector<const char*>& metrics() { return metrics_; }

  std::vector<std::uint8_t> configuration() {
    auto size = SEXTANT_PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = object_;
    profiler_("cuptiProfilerHostGetConfigImageSize", &size);
    std::vector<std::uint8_t> image(size.configImageSize);
    auto get = SEXTANT_PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params);
    get.pHostObject = object_;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    profiler_("cuptiProfilerHostGetConfigImage", &get);
    return image;
  }

  Counters values(const std::vector<std::uint8_t>& data) {
    std::vector<double> values(metrics_.size());
    auto evaluate = SEXTANT_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    evaluate.pHostObject = object_;
    evaluate.pCounterDataImage = data.data();
    evaluate.counterDataImageSize = data.size();
    evaluate.rangeIndex = 0;
    evaluate.ppMetricNames = metrics_.data();
    evaluate.numMetrics = metrics_.size();
    evaluate.pMetricValues = values.data();
    profiler_("cuptiProfilerHostEvaluateToGpuValues", &evaluate);
    Counters counters;
    for (std::size_t i = 0; i < values.size(); ++i)
      for (const CounterMetric& counter : counter_metrics)
        if (metrics_[i] == counter.metric) counters.emplace_back(counter.name, values[i] * counter.scale);
    return counters;
  }

 private:
  // Adds the metrics one by one, so that a missing metric does not affect the others.
  void add_metrics() {
    for (const CounterMetric& counter : counter_metrics) {
      auto add = SEXTANT_PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
      const char* name = counter.metric;
      add.pHostObject = object_;
      add.ppMetricNames = &name;
      add.numMetrics = 1;
      if (profiler_.ask("cuptiProfilerHostConfigAddMetrics", &add) == CUPTI_SUCCESS) metrics_.push_back(name);
    }
    if (metrics_.empty()) throw DeviceError("CUPTI supports none of the counters on this GPU");
  }

  const Profiler& profiler_;
  std::vector<std::uint8_t> available_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
  std::vector<const char*> metrics_;
};

// Counts everything between start and stop (a profiler range), in as many passes as necessary.
class Range {
 public:
  Range(const Profiler& profiler, CUcontext context) : profiler_(profiler) {
    auto enable = SEXTANT_PARAMETERS(CUpti_RangeProfiler_Enable_Params);
    enable.ctx = context;
    profiler_("cuptiRangeProfilerEnable", &enable);
    object_ = enable.pRangeProfilerObject;
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range() {
    auto disable = SEXTANT_PARAMETERS(CUpti_RangeProfiler_Disable_Params);
    disable.pRangeProfilerObject = object_;
    profiler_.ask("cuptiRangeProfilerDisable", &disable);
  }

  std::vector<std::uint8_t> count(const std::vector<std::uint8_t>& configuration,
                                  std::vector<const char*>& metrics, const std::function<void()>& execute) {
    std::vector<std::uint8_t> data = data_image(metrics);
    auto set = SEXTANT_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params);
    set.pRangeProfilerObject = object_;
    set.configSize = configuration.size();
    set.pConfig = configuration.data();
    set.counterDataImageSize = data.size();
    set.pCounterDataImage = data.data();
    set.range = CUPTI_UserRange;
    set.replayMode = CUPTI_UserReplay;
    set.maxRangesPerPass = 1;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    set.targetNestingLevel = 1;
    profiler_("cuptiRangeProfilerSetConfig", &set);
    for (bool all = false; !all;) all = pass(execute);
    auto decode = SEXTANT_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = object_;
    profiler_("cuptiRangeProfilerDecodeData", &decode);
    return data;
  }

 private:
  std::vector<std::uint8_t> data_image(std::vector<const char*>& metrics) {
    auto size = SEXTANT_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = object_;
    size.pMetricNames = metrics.data();
    size.numMetrics = metrics.size();
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    profiler_("cuptiRangeProfilerGetCounterDataSize", &size);
    std::vector<std::uint8_t> data(size.counterDataSize);
    auto initialise = SEXTANT_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    initialise.pRangeProfilerObject = object_;
    initialise.counterDataSize = data.size();
    initialise.pCounterData = data.data();
    profiler_("cuptiRangeProfilerCounterDataImageInitialize", &initialise);
    return data;
  }

  // Runs `execute` in one profiling pass. Returns true if it was the last.
  bool pass(const std::function<void()>& execute) {
    auto start = SEXTANT_PARAMETERS(CUpti_RangeProfiler_Start_Params);
    start.pRangeProfilerObject = object_;
    profiler_("cuptiRangeProfilerStart", &start);
    auto push = SEXTANT_PARAMETERS(CUpti_RangeProfiler_PushRange_Params);
    push.pRangeProfilerObject = object_;
    push.pRangeName = "launch";
    profiler_("cuptiRangeProfilerPushRange", &push);
    execute();
    auto pop = SEXTANT_PARAMETERS(CUpti_RangeProfiler_PopRange_Params);
    pop.pRangeProfilerObject = object_;
    profiler_("cuptiRangeProfilerPopRange", &pop);
    auto stop = SEXTANT_PARAMETERS(CUpti_RangeProfiler_Stop_Params);
    stop.pRangeProfilerObject = object_;
    profiler_("cuptiRangeProfilerStop", &stop);
    return stop.isAllPassSubmitted != 0;
  }

  const Profiler& profiler_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
};

}  // namespace

Counters read_counters(int gpu, const std::function<void()>& execute) {
  static const Profiler profiler;
  static const bool initialised = [] {
    auto parameters = SEXTANT_PARAMETERS(CUpti_Profiler_Initialize_Params);
    profiler("cuptiProfilerInitialize", &parameters);
    return true;
  }();
  (void)initialised;
  const CUcontext context = current_context();
  Host host(profiler, gpu, context);
  const std::vector<std::uint8_t> configuration = host.configuration();
  Range range(profiler, context);
  return host.values(range.count(configuration, host.metrics(), execute));
}

}  // namespace sextant
