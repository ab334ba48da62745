// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include <topomp/core/error.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <poll.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace topo::tool {

namespace {

constexpr const char* call = "topomp run";

/// The library beside this command: in the build tree, or where it is installed.
std::filesystem::path preload_library() {
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::array places{folder / "preload", folder / TOPOMP_LIBRARY_FOLDER};
    for (const auto& each : places)
        if (const auto library = each / "libtopomp-preload.so"; std::filesystem::exists(library))
            return std::filesystem::canonical(library);
    throw system_error(call, "libtopomp-preload.so",
                       "it is neither in " + places[0].string() + " nor in " + places[1].string());
}

using variables = std::vector<std::pair<std::string, std::string>>;

variables variables_of(const run_request& request) {
    std::string preload = preload_library().string();
    // What the user preloads stays in front: a profiling tool sees the program's calls first.
    if (const char* const before = std::getenv("LD_PRELOAD"); before != nullptr && *before != '\0')
        preload = before + (':' + preload);
    variables all{{"LD_PRELOAD", preload}};
    const auto add = [&](const char* name, const std::optional<std::string>& value) {
        if (value) all.emplace_back(name, *value);
        // What is set already has to reach the ranks on other hosts too.
        else if (const char* const set = std::getenv(name); set != nullptr)
            all.emplace_back(name, set);
    };
    add("TOPOMP_PRELOAD", request.parts);
    add("TOPOMP_VERBS", request.verbs);
    add("TOPOMP_POLICY", request.policy);
    add("TOPOMP_MACHINE", request.machine);
    add("TOPOMP_PLACE", request.place);
    add("TOPOMP_NONBLOCKING", request.with_nonblocking ? std::optional<std::string>{"1"} : std::nullopt);
    add("TOPOMP_REPORT", request.with_report ? std::optional<std::string>{"1"} : std::nullopt);
    return all;
}

bool is_launcher(const std::string& word) {
    const std::string name = std::filesystem::path{word}.filename().string();
    for (const std::string_view known : {"mpirun", "mpiexec", "orterun", "prterun"})
        if (name.starts_with(known)) return true;
    return false;
}

/// The launcher's words for variables of the ranks; the launcher itself then runs without the library.
void tell_launcher(std::vector<std::string>& words, const variables& all) {
    std::vector<std::string> options;
    for (const auto& [name, value] : all) {
#ifdef OPEN_MPI
        options.insert(options.end(), {"-x", name + '=' + value});
#else
        options.insert(options.end(), {"-genv", name, value});
#endif
    }
    words.insert(words.begin() + 1, options.begin(), options.end());
}

void show(const std::vector<std::string>& words, const variables& set) {
    for (const auto& [name, value] : set)
        std::cout << name << "='" << value << "' ";
    for (const auto& word : words)
        std::cout << (&word == &words.front() ? "" : " ")
                  << (word.find(' ') == word.npos ? word : '\'' + word + '\'');
    std::cout << '\n';
}

/// @return why not
int become(std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    return errno;
}

/// Passes bytes on, and looks whether the library's report is among them.
class report_watch {
public:
    explicit report_watch(int from) : from_(from) {}

    /// Until the other end is closed, or `child`, who has it, is over and nothing is left to read.
    /// @return the child's status
    int watch(pid_t child) {
        int status = 0;
        bool is_over = false;
        while (true) {
            pollfd ready{from_, POLLIN, 0};
            constexpr int milliseconds = 50;
            const int found = poll(&ready, 1, milliseconds);
            if (found > 0 && !pass_on()) break;
            if (found == 0 && is_over) break; // somebody else in the background still has it
            if (!is_over) is_over = waitpid(child, &status, WNOHANG) == child;
        }
        while (!is_over)
            is_over = waitpid(child, &status, 0) == child || errno != EINTR;
        return status;
    }
    bool has_seen_report() const { return has_seen_; }

private:
    /// @return false at the end
    bool pass_on() {
        std::array<char, 4096> bytes{};
        const auto length = read(from_, bytes.data(), bytes.size());
        if (length < 0) return errno == EINTR;
        for (ssize_t written = 0; written < length;) {
            const auto now =
                write(STDERR_FILENO, bytes.data() + written, static_cast<std::size_t>(length - written));
            if (now < 0 && errno != EINTR) break;
            written += std::max<ssize_t>(now, 0);
        }
        constexpr std::array marks{std::string_view{"topomp-preload: calls of all ranks"},
                                   std::string_view{"topomp-preload: no report"}};
        seen_.append(bytes.data(), static_cast<std::size_t>(length));
        for (const auto mark : marks)
            has_seen_ = has_seen_ || seen_.find(mark) != seen_.npos;
        constexpr std::size_t kept = 64; // a mark may come in two pieces
        if (seen_.size() > kept) seen_.erase(0, seen_.size() - kept);
        return length > 0;
    }

    int from_;
    bool has_seen_ = false;
    std::string seen_;
};

pid_t child_of_run = 0;

/// Runs the command, and says so if the report did not come: where no rank has the library, nobody else can.
/// @return its exit code
int run_and_watch(std::vector<std::string>& words) {
    std::array<int, 2> errors_of_child{}, failure{};
    if (pipe2(errors_of_child.data(), O_CLOEXEC) != 0 || pipe2(failure.data(), O_CLOEXEC) != 0)
        throw system_error(call, "pipe", std::strerror(errno));
    child_of_run = fork();
    if (child_of_run < 0) throw system_error(call, "fork", std::strerror(errno));
    if (child_of_run == 0) {
        dup2(errors_of_child[1], STDERR_FILENO);
        const int why = become(words);
        _exit(write(failure[1], &why, sizeof why) == sizeof why ? 127 : 126);
    }
    close(errors_of_child[1]);
    close(failure[1]);
    int why = 0; // the pipe is closed when the child becomes the command
    if (read(failure[0], &why, sizeof why) == sizeof why)
        throw system_error(call, words.front(), std::strerror(why));
    // A terminal's go to the command too, which decides; others are passed on to it.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGQUIT, SIG_IGN);
    for (const int each : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2})
        std::signal(each, [](int number) { kill(child_of_run, number); });
    report_watch errors{errors_of_child[0]};
    const int status = errors.watch(child_of_run);
    if (!errors.has_seen_report())
        std::cerr << call
                  << ": no report came: no rank has loaded libtopomp-preload.so (a launcher does not hand "
                     "LD_PRELOAD on, as with --export=NONE, or the program is linked with the MPI's static "
                     "libraries), or the program ended before MPI_Finalize, or its stderr goes elsewhere\n";
    if (WIFSIGNALED(status)) {
        std::signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}

} // namespace

int run(const run_request& request) {
    std::vector<std::string> words = request.command;
    if (words.empty())
        throw argument_error(call, "command", "there is none: topomp run -- mpirun -n 16 ./program");
    variables all = variables_of(request);
    if (is_launcher(words.front())) {
        tell_launcher(words, all);
        all.clear();
    }
    if (request.is_only_shown) {
        show(words, all);
        return 0;
    }
    for (const auto& [name, value] : all)
        setenv(name.c_str(), value.c_str(), 1);
    if (request.with_report) return run_and_watch(words);
    const int why = become(words);
    throw system_error(call, words.front(), std::strerror(why));
}

} // namespace topo::tool
