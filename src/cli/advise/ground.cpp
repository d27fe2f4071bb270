#include "cli/advise/ground.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <ctime>
#include <filesystem>

#include "base/error.hpp"
#include "cli/files/load.hpp"
#include "cli/files/machine_session.hpp"
#include "cli/files/measured_data.hpp"
#include "engine/process/worker_questions.hpp"
#include "own/compile/cache.hpp"
#include "predict/first_uses.hpp"
#include "predict/shipped_model.hpp"
#include "run/sweep.hpp"
#include "store/results_file.hpp"
#include "tuner/file_text.hpp"

namespace sextant {
namespace {

predict::Profile profile_of_file(const std::string& path) {
  if (is_results_file(path)) return stored_profile(path);
  const std::string text = tuner::text_of_file(path);
  try {
    return predict::profile_from_json(text);
  } catch (const UserError& error) {
    throw UserError(path + ": " + as_sentence(error.what()) +
                    " A profile is the output of `sextant list profile --json` or a results file.");
  }
}

// Returns the newest session on this hardware that contains the ceilings (measured limits) of the processor.
const Session* session_of_machine(const std::vector<Results>& files, const std::string& hardware) {
  const Session* newest = nullptr;
  for (const Results& results : files)
    for (const Session& session : results.sessions) {
      const predict::Profile profile = predict::profile_of(session);
      if (predict::hardware_of(profile) != hardware || profile.all_cores.empty()) continue;
      if (profile.gpu && profile.on_gpu.empty()) continue;
      if (!newest || session.started > newest->started) newest = &session;
    }
  return newest;
}

// Returns the path of the file that stores this machine's profile, or nothing if there is no cache folder.
std::optional<std::filesystem::path> kept_profile(const Environment& environment,
                                                  const std::string& hardware) {
  own::Hash hash;
  hash.add(value_of(environment, "machine")).add(hardware).add(value_of(environment, "gpu0.driver"));
  try {
    return own::cache_folder() / ("profile." + hash.hex() + ".json");
  } catch (const UserError&) {
    return std::nullopt;
  }
}

// Returns the file's modification time as text: "2026-11-26 06:02 UTC".
std::string written_at(const std::filesystem::path& file) {
  struct stat status = {};
  std::tm time = {};
  char text[32] = "";
  if (stat(file.c_str(), &status) == 0 && gmtime_r(&status.st_mtime, &time))
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &time);
  return text;
}

// Measures this machine's profile, and stores it in the file.
predict::Profile measured_profile(const Environment& environment,
                                  const std::optional<std::filesystem::path>& file) {
  std::fprintf(stderr, "measuring the profile of this machine (its speeds), which is needed only once\n");
  const predict::Profile profile = predict::profile_of(measured_session(environment));
  if (predict::is_loaded(profile.load, profile.threads))
    std::fprintf(
        stderr,
        "other programs used the processors (load average %.1f), so the profile's speeds may be too low. "
        "They are measured again once the load is lower\n",
        profile.load);
  if (file) own::write_file(*file, predict::to_json(profile));
  return profile;
}

// True if the profile was measured under load, and the load is lower now.
bool is_better_now(const predict::Profile& profile, const Environment& environment) {
  Session now;
  now.environment = environment;
  return predict::is_loaded(profile.load, profile.threads) &&
         !predict::is_loaded(predict::profile_of(now).load, profile.threads);
}

predict::Profile profile_here(const std::vector<Results>& files, const Environment& environment, bool fresh) {
  Session here;
  here.environment = environment;
  const std::string hardware = predict::hardware_of(predict::profile_of(here));
  if (const Session* known = fresh ? nullptr : session_of_machine(files, hardware))
    return predict::profile_of(*known);
  const auto kept = kept_profile(environment, hardware);
  std::string text;
  if (kept && !fresh && own::read_file(*kept, &text)) {
    try {
      const predict::Profile profile = predict::profile_from_json(text);
      if (is_better_now(profile, environment)) return measured_profile(environment, kept);
      std::fprintf(stderr,
                   "the profile of this machine (its measured speeds) is from %s. --fresh measures the "
                   "profile again\n",
                   written_at(*kept).c_str());
      return profile;
    } catch (const UserError&) {  // A profile that another version has written is measured again.
    }
  }
  return measured_profile(environment, kept);
}

}  // namespace

namespace {

std::vector<Results> files_of(const AdviceSources& sources) {
  std::vector<Results> files;
  for (const std::string& file : sources.files) files.push_back(load_results(file, sources.data));
  return files;
}

void use_measurements(std::vector<Results> files, AdviceGround* ground) {
  if (!ground->probes.sessions.empty()) files.push_back(ground->probes);
  ground->data = data_set_of(std::move(files));
  for (const predict::DataMachine& machine : ground->data.machines)
    if (predict::hardware_of(machine.profile) == predict::hardware_of(ground->profile))
      predict::add_first_uses(machine.profile.ceilings, &ground->profile);
}

}  // namespace

AdviceGround advice_ground(const AdviceSources& sources) {
  AdviceGround ground = {
      sources.model_file.empty()
          ? predict::shipped_model()
          : predict::read_model(tuner::text_of_file(sources.model_file), sources.model_file),
      {},
      {},
      {},
      {}};
  std::vector<Results> files = files_of(sources);
  if (sources.profile.empty()) {
    ground.environment = ask_environment(worker_command());
    ground.profile = profile_here(files, *ground.environment, sources.fresh);
  } else {
    ground.profile = profile_of_file(sources.profile);
  }
  use_measurements(std::move(files), &ground);
  return ground;
}

void read_measurements(const AdviceSources& sources, AdviceGround* ground) {
  use_measurements(files_of(sources), ground);
}

predict::Predictor predictor_of(const AdviceGround& ground) {
  return {ground.model,
          ground.profile,
          ground.data,
          {predict::measured_problems(ground.data, predict::Target::call),
           predict::measured_problems(ground.data, predict::Target::whole)}};
}

}  // namespace sextant
