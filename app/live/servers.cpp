#include "live/servers.h"

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "live/greeting.h"
#include "live/monotonic.h"

namespace lockstep::live {
namespace {

using scenario::Problem;
using scenario::ProblemKind;

constexpr int kAttempts = 3;

Problem environment(const std::string& place, const std::string& message) {
  return {place, "", message, ProblemKind::kEnvironment};
}

/// The jars that must be named; zookeeper.jar's manifest brings the rest but no binding for its log.
const std::vector<std::string> kJars = {"zookeeper.jar", "slf4j-log4j12.jar", "log4j-1.2.jar"};

std::vector<Problem> check_installed(const ServersOptions& options, std::string& java) {
  java = options.java.empty() ? program_on_path("java") : options.java;
  if (java.empty() || access(java.c_str(), X_OK) != 0) {
    return {environment(java.empty() ? "java" : java,
                        "no Java here, which ZooKeeper's servers need; as root: "
                        "apt-get install default-jre-headless")};
  }
  for (const std::string& jar : kJars) {
    const std::string path = options.jars + "/" + jar;
    if (access(path.c_str(), R_OK) != 0) {
      return {environment(path,
                          "this part of ZooKeeper is missing; as root: apt-get install zookeeper")};
    }
  }
  return {};
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// The last lines of a server's log that tell of trouble, for a message.
std::string last_words(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::string words;
  while (std::getline(file, line)) {
    if (line.find("ERROR") != std::string::npos || line.find("Exception") != std::string::npos ||
        line.find("Error") != std::string::npos) {
      words = line;
    }
  }
  return words;
}

}  // namespace

scenario::Result<Servers> Servers::start(const ServersOptions& options) {
  if (options.count < 1 || options.count > kServersMax) {
    return Problem{
        "--servers", "",
        std::to_string(options.count) + " servers: expected 1 to " + std::to_string(kServersMax)};
  }
  std::vector<Problem> problems;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Servers servers;
    problems = servers.configure(options);
    if (problems.empty()) problems = servers.launch(options);
    if (problems.empty()) problems = servers.wait_until_serving(options);
    if (problems.empty()) return servers;
    const bool port_taken = problems.front().message.find("BindException") != std::string::npos;
    if (!port_taken) break;
  }
  return problems;
}

Servers::~Servers() { stop(); }

std::vector<Problem> Servers::configure(const ServersOptions& options) {
  const std::vector<uint16_t> ports = free_ports(3 * options.count);
  std::string ensemble;
  for (int i = 0; i < options.count; ++i) {
    const auto port = [&](int which) { return ports[static_cast<size_t>(3 * i + which)]; };
    Server server;
    server.client.port = port(0);
    server.quorum_port = port(1);
    server.election_port = port(2);
    server.folder = options.folder + "/zk" + std::to_string(i + 1);
    ensemble += "server." + std::to_string(i + 1) + "=127.0.0.1:" + std::to_string(port(1)) + ":" +
                std::to_string(port(2)) + "\n";
    servers_.push_back(std::move(server));
  }
  int number = 0;
  for (const Server& server : servers_) {
    std::error_code error;
    std::filesystem::remove_all(server.folder, error);  // Of an earlier attempt.
    std::filesystem::create_directories(server.folder + "/data", error);
    if (error) return {environment(server.folder, "cannot make this folder: " + error.message())};
    std::ostringstream config;
    config << "tickTime=" << options.tick_us / kMillisecond << "\ndataDir=" << server.folder
           << "/data\nclientPort=" << server.client.port
           << "\nclientPortAddress=127.0.0.1\nmaxClientCnxns=0\nadmin.enableServer=false\n"
              "4lw.commands.whitelist=*\ninitLimit=20\nsyncLimit=10\n";
    if (options.count > 1) config << ensemble;
    write_file(server.folder + "/zoo.cfg", config.str());
    write_file(server.folder + "/data/myid", std::to_string(++number) + "\n");
    write_file(server.folder + "/log4j.properties",
               "log4j.rootLogger=WARN, out\nlog4j.appender.out=org.apache.log4j.ConsoleAppender\n"
               "log4j.appender.out.layout=org.apache.log4j.PatternLayout\n"
               "log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p %c{1} - %m%n\n");
  }
  return {};
}

std::vector<Problem> Servers::launch(const ServersOptions& options) {
  std::string java;
  std::vector<Problem> missing = check_installed(options, java);
  if (!missing.empty()) return missing;
  for (Server& server : servers_) {
    std::string classes = server.folder;
    for (const std::string& jar : kJars) classes += ":" + options.jars + "/" + jar;
    // No fsync and small logs: what these servers know need not survive the machine.
    auto process = Process::start(
        {.arguments = {java, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                       "-Xshare:auto", "-XX:-UsePerfData", "-Dzookeeper.jmx.log4j.disable=true",
                       "-Djava.net.preferIPv4Stack=true", "-Dzookeeper.forceSync=no",
                       "-Dzookeeper.preAllocSize=1024", "-cp", classes,
                       "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                       server.folder + "/zoo.cfg"},
         .output_file = server.folder + "/log"});
    if (!process) return process.problems();
    server.process = std::move(process.value());
  }
  return {};
}

std::vector<Problem> Servers::wait_until_serving(const ServersOptions& options) {
  const TimeUs until = monotonic_us() + options.patience_us;
  for (Server& server : servers_) {
    while (mode_of(server.client).empty()) {
      if (server.process.poll() == ProcessChange::kEnded) {
        return {environment(server.folder, "the ZooKeeper server ended at once (" +
                                               server.process.ending() +
                                               "): " + last_words(server.folder + "/log"))};
      }
      if (options.give_up && *options.give_up) {
        return {environment(to_text(server.client), "given up before the server served")};
      }
      if (monotonic_us() >= until) {
        return {environment(to_text(server.client),
                            "the ZooKeeper server that was started here did not serve within " +
                                std::to_string(options.patience_us / kSecond) + " s; " +
                                last_words(server.folder + "/log"))};
      }
      usleep(20000);
    }
  }
  return {};
}

std::string Servers::connect_string() const {
  std::string text;
  for (const Server& server : servers_) text += (text.empty() ? "" : ",") + to_text(server.client);
  return text;
}

std::string Servers::log_folder(int index) const {
  return servers_[static_cast<size_t>(index)].folder + "/data/version-2";
}

void Servers::stop() {
  // Nothing of theirs is kept, so there is nothing that they would have to finish.
  for (Server& server : servers_) server.process.signal(SIGKILL);
  for (Server& server : servers_) server.process.stop(0);
}

std::string mode_of(const Address& server) {
  const std::string answer = four_letter_word(server, "srvr", 2 * kSecond);
  const std::string label = "Mode: ";
  const size_t at = answer.find(label);
  if (at == std::string::npos) return "";
  const size_t from = at + label.size();
  return answer.substr(from, answer.find('\n', from) - from);
}

}  // namespace lockstep::live
