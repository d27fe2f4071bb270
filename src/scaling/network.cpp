#include "scaling/network.hpp"

#include "own/description/tree.hpp"

namespace sextant::scaling {
namespace {

double positive(const own::Keys& keys, const char* key, const std::string& hint) {
  const own::Value& value = keys.need(key, hint);
  const double number = own::number_of(value, key);
  if (!(number > 0)) own::refuse(value.place, std::string(key) + " must be more than 0. Write " + hint + ".");
  return number;
}

}  // namespace

Network read_network(const std::string& text, const std::string& file) {
  const own::Value tree = own::parse_toml(text, file);
  const own::Keys keys(tree, "a network", {"latency", "bandwidth", "devices_per_node"});
  Network network;
  network.file = file;
  network.latency =
      positive(keys, "latency", "the seconds that a message takes between nodes, as in `latency = 2e-6`");
  network.bandwidth =
      positive(keys, "bandwidth", "the bytes per second from one device, as in `bandwidth = 25e9`");
  if (const own::Value* count = keys.find("devices_per_node")) {
    const std::int64_t whole = own::whole_of(*count, "devices_per_node");
    if (whole < 1 || whole > 1'000'000) own::refuse(count->place, "`devices_per_node` must be at least 1");
    network.devices_per_node = static_cast<int>(whole);
  }
  return network;
}

}  // namespace sextant::scaling
