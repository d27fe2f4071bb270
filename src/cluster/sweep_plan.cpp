#include "cluster/sweep_plan.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace sextant::cluster {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SubmittedJobs& jobs) {
  return {{"array", jobs.array},
          {"merge", jobs.merge},
          {"indices", jobs.indices},
          {"time", jobs.time},
          {"cluster", jobs.cluster}};
}

SubmittedJobs jobs_of(const Json& json) {
  return {json.at("array"), json.at("merge"), json.at("indices"), json.at("time"),
          json.value("cluster", "")};  // plans of older versions do not name the cluster
}

SweepPlan plan_of(const Json& json) {
  SweepPlan plan;
  plan.version = json.at("version");
  plan.revision = json.at("revision");
  plan.program = json.at("program");
  plan.folder = json.at("folder");
  plan.output = json.at("output");
  plan.arguments = json.at("arguments").get<std::vector<std::string>>();
  plan.options = json.at("options").get<std::vector<std::string>>();
  plan.prologue = json.value("prologue", "");
  plan.shards = json.at("shards");
  plan.cases = json.at("cases");
  plan.seconds = json.at("seconds");
  for (const Json& jobs : json.at("jobs")) plan.jobs.push_back(jobs_of(jobs));
  return plan;
}

}  // namespace

std::string SweepPlan::shard_file(std::size_t index) const {
  return parts() + "/shard-" + std::to_string(index) + ".sextant";
}

std::string SweepPlan::shard_log(std::size_t index) const {
  return parts() + "/shard-" + std::to_string(index) + ".log";
}

std::string to_json(const SweepPlan& plan) {
  Json jobs = Json::array();
  for (const SubmittedJobs& one : plan.jobs) jobs.push_back(json_of(one));
  const Json json = {{"version", plan.version}, {"revision", plan.revision}, {"program", plan.program},
                     {"folder", plan.folder},   {"output", plan.output},     {"arguments", plan.arguments},
                     {"options", plan.options}, {"prologue", plan.prologue}, {"shards", plan.shards},
                     {"cases", plan.cases},     {"seconds", plan.seconds},   {"jobs", jobs}};
  return json.dump(2) + "\n";
}

SweepPlan load_plan(const std::string& output) {
  SweepPlan place;
  place.output = std::filesystem::absolute(output).lexically_normal();
  const std::string path = place.plan_file();
  std::ifstream file(path);
  if (!file)
    throw UserError("no sweep was submitted for `" + output + "`, because there is no file " + path +
                    ". `sextant submit … -o " + output + "` starts one.");
  try {
    SweepPlan plan = plan_of(Json::parse(file));
    plan.output = place.output;  // the folder may have been moved
    if (plan.shards == 0) throw UserError("it lists no parts of the sweep");
    return plan;
  } catch (const std::exception& error) {
    throw UserError(path + " is damaged (" + error.what() +
                    "). The results files of the parts are not affected. Join them with `sextant merge`.");
  }
}

std::string index_text(const std::vector<std::size_t>& indices) {
  std::string text;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t last = i;
    while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(indices[i]);
    if (last > i) text += "-" + std::to_string(indices[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace sextant::cluster
