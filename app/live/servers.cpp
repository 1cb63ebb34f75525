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
constexpr TimeUs kCrashPatience = kSecond;

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

/// The last line of a server's log that tells of trouble, for a message; that it therefore ends is none.
std::string last_words(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::string words;
  while (std::getline(file, line)) {
    if (line.find("Exiting JVM") != std::string::npos) continue;
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

void Servers::choose_ports(const ServersOptions& options) {
  const std::vector<uint16_t> ports = free_ports(3 * options.count);
  std::vector<PeerPorts> peers;
  for (int i = 0; i < options.count; ++i) {
    const auto port = [&](int which) { return ports[static_cast<size_t>(3 * i + which)]; };
    Server server;
    server.client.port = port(0);
    server.peers = {.quorum = port(1), .election = port(2)};
    server.observer = static_cast<size_t>(i) < options.observers.size() &&
                      options.observers[static_cast<size_t>(i)];
    server.folder = options.folder + "/zk" + std::to_string(i + 1);
    peers.push_back(server.peers);
    servers_.push_back(std::move(server));
  }
  if (options.count > 1) links_ = std::make_unique<ServerLinks>(peers);
}

std::vector<Problem> Servers::configure(const ServersOptions& options) {
  choose_ports(options);
  if (links_ && !links_->ok()) {
    return {environment("127.0.0.1", "no free port for a relay: too many files open")};
  }
  for (size_t i = 0; i < servers_.size(); ++i) {
    std::vector<Problem> problems = write_folder(options, i);
    if (!problems.empty()) return problems;
  }
  return {};
}

/// The server.N lines of its zoo.cfg: its own has the ports where it listens, the others' lead to our relays.
/// Servers would tell each other their lines, but for reconfigEnabled, which is off.
std::string Servers::ensemble_as_seen_by(size_t index) const {
  std::string lines;
  for (size_t i = 0; i < servers_.size(); ++i) {
    const PeerPorts ports = i == index ? servers_[i].peers : links_->ports(index, i);
    lines += "server." + std::to_string(i + 1) + "=127.0.0.1:" + std::to_string(ports.quorum) + ":" +
             std::to_string(ports.election) + (servers_[i].observer ? ":observer" : "") + "\n";
  }
  return lines + "reconfigEnabled=false\n" +
         (servers_[index].observer ? "peerType=observer\n" : "");
}

std::vector<Problem> Servers::write_folder(const ServersOptions& options, size_t index) {
  const Server& server = servers_[index];
  std::error_code error;
  std::filesystem::remove_all(server.folder, error);  // Of an earlier attempt.
  std::filesystem::create_directories(server.folder + "/data", error);
  if (error) return {environment(server.folder, "cannot make this folder: " + error.message())};
  std::ostringstream config;
  config << "tickTime=" << options.tick_us / kMillisecond << "\ndataDir=" << server.folder
         << "/data\nclientPort=" << server.client.port
         << "\nclientPortAddress=127.0.0.1\nmaxClientCnxns=0\nadmin.enableServer=false\n"
            "4lw.commands.whitelist=*\ninitLimit="
         << options.init_limit << "\nsyncLimit=" << options.sync_limit << "\n";
  if (links_) config << ensemble_as_seen_by(index);
  write_file(server.folder + "/zoo.cfg", config.str());
  write_file(server.folder + "/data/myid", std::to_string(index + 1) + "\n");
  write_file(server.folder + "/log4j.properties",
             "log4j.rootLogger=WARN, out\nlog4j.appender.out=org.apache.log4j.ConsoleAppender\n"
             "log4j.appender.out.layout=org.apache.log4j.PatternLayout\n"
             "log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p %c{1} - %m%n\n");
  return {};
}

std::vector<Problem> Servers::launch(const ServersOptions& options) {
  jars_ = options.jars;
  std::vector<Problem> problems = check_installed(options, java_);
  for (size_t i = 0; problems.empty() && i < servers_.size(); ++i) problems = launch_one(servers_[i]);
  return problems;
}

std::vector<Problem> Servers::launch_one(Server& server) {
  std::string classes = server.folder;
  for (const std::string& jar : kJars) classes += ":" + jars_ + "/" + jar;
  // No fsync and small logs: what these servers know need not survive the machine.
  auto process = Process::start(
      {.arguments = {java_, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                     "-Xshare:auto", "-XX:-UsePerfData", "-Dzookeeper.jmx.log4j.disable=true",
                     "-Djava.net.preferIPv4Stack=true", "-Dzookeeper.forceSync=no",
                     "-Dzookeeper.preAllocSize=1024", "-cp", classes,
                     "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                     server.folder + "/zoo.cfg"},
       .output_file = server.folder + "/log"});
  if (!process) return process.problems();
  server.process = std::move(process.value());
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

bool Servers::has_ended(int index) {
  Server& server = servers_[static_cast<size_t>(index)];
  return !server.crashed && server.process.poll() == ProcessChange::kEnded;
}

bool Servers::pause(int index) {
  Server& server = servers_[static_cast<size_t>(index)];
  if (server.paused || !server.process.signal(SIGSTOP)) return false;
  return server.paused = true;
}

bool Servers::resume(int index) {
  Server& server = servers_[static_cast<size_t>(index)];
  if (!server.paused || !server.process.signal(SIGCONT)) return false;
  server.paused = false;
  return true;
}

bool Servers::crash(int index) {
  Server& server = servers_[static_cast<size_t>(index)];
  if (server.crashed || !server.process.signal(SIGKILL)) return false;
  server.process.stop(kCrashPatience);
  server.paused = false;
  return server.crashed = true;
}

bool Servers::restart(int index) {
  Server& server = servers_[static_cast<size_t>(index)];
  if (!server.crashed || !launch_one(server).empty()) return false;
  server.crashed = false;
  return true;
}

void Servers::stop() {
  // Nothing of theirs is kept, so there is nothing that they would have to finish.
  for (Server& server : servers_) server.process.signal(SIGKILL);
  for (Server& server : servers_) server.process.stop(0);
}

std::string mode_of(const Address& server, TimeUs patience_us) {
  const std::string answer = four_letter_word(server, "srvr", patience_us);
  const std::string label = "Mode: ";
  const size_t at = answer.find(label);
  if (at == std::string::npos) return "";
  const size_t from = at + label.size();
  return answer.substr(from, answer.find('\n', from) - from);
}

}  // namespace lockstep::live
