// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include "shell.hpp"
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

constexpr const char* run_command = "topomp run";

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
    add("TOPOMP_TUNING", request.tuning);
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
        options.insert(options.end(), {"-x", std::string{name}.append("=").append(value)});
#else
        options.insert(options.end(), {"-genv", name, value});
#endif
    }
    words.insert(words.begin() + 1, options.begin(), options.end());
}

/// Of srun's words, the position of those that say which variables its ranks get: `--export=NONE`, or
/// `--export` and `NONE`. They stand in front of the program, whose first word is the first that is neither
/// an option nor the value of one.
std::optional<std::size_t> export_word(const std::vector<std::string>& words) {
    constexpr std::string_view short_flags = "EHIkKlOQsuvXZ";
    constexpr std::string_view long_flags =
        " async bcast compress contiguous debugger-test disable-status exact exclusive external"
        " external-launcher help hold immediate interactive kill-on-bad-exit label multi-prog nice"
        " no-allocate no-kill oom-kill-step overcommit overlap oversubscribe preserve-env"
        " propagate pty quiet quit-on-interrupt reboot resv-ports send-libs spread-job stepmgr"
        " test-only unbuffered usage use-min-nodes verbose version wait-for-children whole x11 ";
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word.starts_with("--export=") || (word == "--export" && i + 1 < words.size())) return i;
        if (!word.starts_with("-") || word == "--") break;
        const bool is_long = word.starts_with("--");
        const bool is_flag = is_long
                                 ? word.find('=') != word.npos ||
                                       long_flags.find(' ' + word.substr(2) + ' ') != long_flags.npos
                                 : word.size() != 2 || short_flags.find(word[1]) != std::string_view::npos;
        if (!is_flag) ++i;
    }
    return std::nullopt;
}

/// Lets srun's ranks have the variables, where it would keep them: they are set for srun, and named in the
/// list of what it hands on.
void tell_srun(std::vector<std::string>& words, const variables& all, bool is_only_shown) {
    std::string names;
    for (const auto& [name, value] : all)
        names += (names.empty() ? "" : ",") + name;
    const auto with_names = [&](const std::string& list) {
        // NIL and NONE mean that nothing else is handed on.
        return list == "NONE" || list == "NIL" ? names : list + ',' + names;
    };
    if (const auto found = export_word(words)) {
        const bool is_apart = words[*found] == "--export";
        std::string& word = words[is_apart ? *found + 1 : *found];
        const std::string list = is_apart ? word : word.substr(word.find('=') + 1);
        if (list != "ALL" && !list.starts_with("ALL,"))
            word = (is_apart ? "" : "--export=") + with_names(list);
        return;
    }
    // What sbatch --export=NONE leaves to the commands of the job, unless srun's own variable says otherwise.
    const char* const variable =
        std::getenv("SRUN_EXPORT_ENV") != nullptr ? "SRUN_EXPORT_ENV" : "SLURM_EXPORT_ENV";
    const char* const list = std::getenv(variable);
    if (list == nullptr || std::string_view{list}.starts_with("ALL")) return;
    if (is_only_shown)
        words.insert(words.begin() + 1, "--export=" + with_names(list));
    else
        setenv(variable, with_names(list).c_str(), 1);
}

void show_words(const std::vector<std::string>& words, const variables& set) {
    for (const auto& [name, value] : set)
        std::cout << name << '=' << shell_quoted(value) << ' ';
    for (const auto& word : words)
        std::cout << (&word == &words.front() ? "" : " ") << shell_word(word);
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
            if (found == 0 && is_over) break; // another process in the background still has it
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

/// Runs the command, and says so if the report did not come: where no rank has the library, no other process
/// can.
/// @return its exit code
int run_and_watch(std::vector<std::string>& words) {
    std::array<int, 2> errors_of_child{}, failure{};
    if (pipe2(errors_of_child.data(), O_CLOEXEC) != 0 || pipe2(failure.data(), O_CLOEXEC) != 0)
        throw system_error(run_command, "pipe", std::strerror(errno));
    child_of_run = fork();
    if (child_of_run < 0) throw system_error(run_command, "fork", std::strerror(errno));
    if (child_of_run == 0) {
        dup2(errors_of_child[1], STDERR_FILENO);
        const int why = become(words);
        _exit(write(failure[1], &why, sizeof why) == sizeof why ? 127 : 126);
    }
    close(errors_of_child[1]);
    close(failure[1]);
    int why = 0; // the pipe is closed when the child becomes the command
    if (read(failure[0], &why, sizeof why) == sizeof why)
        throw system_error(run_command, words.front(), std::strerror(why));
    // A terminal's go to the command too, which decides; others are passed on to it.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGQUIT, SIG_IGN);
    for (const int each : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2})
        std::signal(each, [](int number) { kill(child_of_run, number); });
    report_watch errors{errors_of_child[0]};
    const int status = errors.watch(child_of_run);
    if (!errors.has_seen_report())
        std::cerr
            << run_command
            << ": no report came: no rank has loaded libtopomp-preload.so (the launcher does not hand "
               "LD_PRELOAD on, or the program is linked with the MPI's static libraries), or the program "
               "ended before MPI_Finalize, or its stderr goes elsewhere\n";
    if (WIFSIGNALED(status)) {
        std::signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}

} // namespace

std::filesystem::path preload_library() {
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::array places{folder / "preload", folder / TOPOMP_LIBRARY_FOLDER};
    for (const auto& each : places)
        if (const auto library = each / "libtopomp-preload.so"; std::filesystem::exists(library))
            return std::filesystem::canonical(library);
    throw system_error(run_command, "libtopomp-preload.so",
                       "it is neither in " + places[0].string() + " nor in " + places[1].string());
}

int run(const run_request& request) {
    std::vector<std::string> words = request.command;
    if (words.empty())
        throw argument_error(run_command, "command", "there is none: topomp run -- mpirun -n 16 ./program");
    // CLI11 hands on what it does not know.
    if (words.front().starts_with('-'))
        throw argument_error(run_command, words.front(), "there is no such option");
    variables all = variables_of(request);
    if (is_launcher(words.front())) {
        tell_launcher(words, all);
        all.clear();
    }
    if (std::filesystem::path{words.front()}.filename() == "srun")
        tell_srun(words, all, request.is_only_shown);
    if (request.is_only_shown) {
        show_words(words, all);
        return 0;
    }
    for (const auto& [name, value] : all)
        setenv(name.c_str(), value.c_str(), 1);
    if (request.with_report) return run_and_watch(words);
    const int why = become(words);
    throw system_error(run_command, words.front(), std::strerror(why));
}

} // namespace topo::tool
