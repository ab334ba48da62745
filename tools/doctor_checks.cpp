// SPDX-License-Identifier: BSL-1.0
#include "doctor.hpp"
#include "run.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/topology.hpp>
#include <topomp/memory/detail/free_space.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <link.h>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace topo::tool {

namespace {

using grade = finding::grade;
namespace fs = std::filesystem;

/// What a command prints on both outputs; nothing if it fails.
std::optional<std::string> output_of(const std::string& command) {
    FILE* const output = popen((command + " 2>&1").c_str(), "r");
    if (output == nullptr) return std::nullopt;
    std::string text;
    std::array<char, 4096> part{};
    for (std::size_t count = 0; (count = fread(part.data(), 1, part.size(), output)) > 0;)
        text.append(part.data(), count);
    return pclose(output) == 0 ? std::optional{text} : std::nullopt;
}

/// Whether a program is on PATH.
bool is_installed(const std::string& program) { return output_of("command -v " + program).has_value(); }

constexpr const char* mpi_at_compilation =
#ifdef OPEN_MPI
    "Open MPI";
#elif defined(MPICH)
    "MPICH";
#else
    "MPI";
#endif

std::string number_at_compilation() {
#ifdef OPEN_MPI
    return std::to_string(OMPI_MAJOR_VERSION) + '.' + std::to_string(OMPI_MINOR_VERSION);
#elif defined(MPICH_VERSION)
    return MPICH_VERSION;
#else
    return {};
#endif
}

/// The files of the MPI libraries in this process, Boost.MPI's own among them.
std::vector<std::string> loaded_mpi_libraries() {
    std::vector<std::string> found;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* into) {
            const std::string name = fs::path{info->dlpi_name}.filename().string();
            for (const char* each : {"libmpi.so", "libmpich.so", "libmpi_intel.so", "libpsmpi.so"})
                if (name.starts_with(each))
                    static_cast<std::vector<std::string>*>(into)->emplace_back(info->dlpi_name);
            return 0;
        },
        &found);
    return found;
}

/// The names that MPI libraries give their files in shared memory.
bool is_of_mpi(const std::string& name) {
    constexpr std::array fronts{"vader_segment.", "sm_segment.", "osc_rdma.",
                                "mpich_shar_tmp", "psm2_shm.",   "ucx_shm_"};
    return std::ranges::any_of(fronts, [&](const char* front) { return name.starts_with(front); });
}

/// The namespace in which every process is seen; the kernel gives it this number on every machine.
constexpr const char* first_pid_namespace = "pid:[4026531836]";

/// The files of /dev/shm that some process has open or mapped.
std::set<std::string> used_shared_memory() {
    std::set<std::string> used;
    const auto note = [&](std::string path) {
        constexpr std::string_view folder = "/dev/shm/";
        const auto at = path.find(folder);
        if (at == path.npos) return;
        path = path.substr(at + folder.size());
        used.insert(path.substr(0, path.find(' ')));
    };
    std::error_code none;
    for (const auto& process : fs::directory_iterator{"/proc", none}) {
        if (process.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream maps{process.path() / "maps"};
        for (std::string line; std::getline(maps, line);)
            note(line);
        std::error_code unreadable;
        for (const auto& descriptor : fs::directory_iterator{process.path() / "fd", unreadable})
            note(fs::read_symlink(descriptor.path(), unreadable).string());
    }
    return used;
}

} // namespace

findings check_mpi() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
    int length = 0;
    MPI_Get_library_version(library.data(), &length);
    std::string runs{library.data()};
    runs.erase(std::min(runs.size(), runs.find_first_of("\n,")));
    std::ranges::replace(runs, '\t', ' ');
    const std::string compiled = std::string{mpi_at_compilation} + ' ' + number_at_compilation();
    findings result;
    if (runs.find(mpi_at_compilation) == runs.npos || runs.find(number_at_compilation()) == runs.npos)
        result.push_back(
            {grade::wrong, "MPI", "it is compiled for " + compiled + " and runs with " + runs,
             "compile topomp again, or load the MPI that it was compiled with (LD_LIBRARY_PATH, module)"});
    else
        result.push_back({grade::fine, "MPI", runs, ""});
    // Boost.MPI is linked with an MPI of its own: if that is another one, both are in the process.
    const auto loaded = loaded_mpi_libraries();
    std::string list;
    for (const auto& each : loaded)
        list += (list.empty() ? "" : " and ") + each;
    if (loaded.size() > 1)
        result.push_back(
            {grade::wrong, "Boost.MPI", "two MPI libraries are loaded: " + list,
             "link a Boost.MPI that is built for this MPI; topomp's CMake makes one where there is none"});
    else
        result.push_back(
            {grade::fine, "Boost.MPI", "for the same MPI" + (list.empty() ? "" : ": " + list), ""});
    return result;
}

findings check_launchers() {
    for (const char* name : {"mpirun", "mpiexec"}) {
        if (!is_installed(name)) continue;
        const std::string says = output_of(std::string{name} + " --version").value_or("");
        const bool is_open_mpi = says.find("Open MPI") != says.npos || says.find("OpenRTE") != says.npos ||
                                 says.find("prte") != says.npos;
        const bool is_hydra = says.find("HYDRA") != says.npos;
        const std::string_view mpi = mpi_at_compilation;
        if ((is_open_mpi && mpi != "Open MPI") || (is_hydra && mpi == "Open MPI"))
            return {{grade::advice, "launcher",
                     std::string{name} + " on PATH is that of " + (is_open_mpi ? "Open MPI" : "MPICH") +
                         ", topomp's MPI is " + std::string{mpi},
                     "start programs with that MPI's launcher, such as " +
                         std::string{mpi == "Open MPI" ? "mpirun.openmpi" : "mpiexec.mpich"}}};
        return {{grade::fine, "launcher", std::string{name} + ": " + says.substr(0, says.find('\n')), ""}};
    }
    if (is_installed("srun")) return {{grade::fine, "launcher", "srun", ""}};
    return {{grade::advice, "launcher", "neither mpirun nor mpiexec nor srun is on PATH",
             "put the MPI's bin folder there"}};
}

findings check_preload() {
    const std::string part = "preload library";
    std::string path;
    try {
        path = preload_library().string();
    } catch (const error& problem) {
        return {{grade::advice, part, problem.what(),
                 "install it beside the command, if programs shall use 'topomp run'"}};
    }
    // In a process of its own: loaded here, it would serve this one's calls.
    std::array<int, 2> said{};
    if (pipe(said.data()) != 0) return {{grade::advice, part, std::strerror(errno), ""}};
    const pid_t child = fork();
    if (child == 0) {
        const char* why = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr ? dlerror() : "";
        _exit(write(said[1], why, std::strlen(why)) < 0 ? 1 : 0);
    }
    close(said[1]);
    std::string why;
    std::array<char, 1024> part_of_it{};
    for (ssize_t count = 0; (count = read(said[0], part_of_it.data(), part_of_it.size())) > 0;)
        why.append(part_of_it.data(), static_cast<std::size_t>(count));
    close(said[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!why.empty() || status != 0)
        return {{grade::wrong, part, why.empty() ? path + " cannot be loaded" : why,
                 "install topomp again for this MPI, or put the missing library on LD_LIBRARY_PATH"}};
    return {{grade::fine, part, path, ""}};
}

findings check_slurm(const launch& started) {
    const std::string part = "Slurm";
    const bool is_in_job = std::getenv("SLURM_JOB_ID") != nullptr;
    if (!is_installed("scontrol"))
        return {{is_in_job ? grade::advice : grade::fine, part,
                 is_in_job ? "in a job, without scontrol on PATH" : "none here", ""}};
    const auto settings = output_of("timeout 5 scontrol show config");
    if (!settings)
        return {{is_in_job ? grade::wrong : grade::fine, part,
                 "installed, and its controller does not answer",
                 is_in_job ? "ask who runs this cluster" : ""}};
    const auto value_of_setting = [&](const std::string& name) {
        const auto at = settings->find("\n" + name + ' ');
        if (at == settings->npos) return std::string{};
        const auto start = settings->find("= ", at) + 2;
        return settings->substr(start, settings->find('\n', start) - start);
    };
    const std::string topology = value_of_setting("TopologyPlugin"), mpi = value_of_setting("MpiDefault");
    findings result{{grade::fine, part, "topology " + topology + ", srun's default MPI " + mpi, ""}};
    if (mpi == "none" && started.by != launcher::slurm)
        result.push_back(
            {grade::advice, "srun", "without --mpi it starts separate programs",
             std::string{"give srun "} +
                 (std::string_view{mpi_at_compilation} == "Open MPI" ? "--mpi=pmix" : "--mpi=pmi2") +
                 ", or set SLURM_MPI_TYPE"});
    if (topology.ends_with("none"))
        result.push_back(
            {grade::advice, "switches", "Slurm knows none, so that there are no levels above the nodes",
             "TopologyPlugin=topology/tree in slurm.conf, or topo::network::file in the program"});
    else if (started.by == launcher::slurm && std::getenv("SLURM_TOPOLOGY_ADDR") == nullptr)
        result.push_back({grade::wrong, "switches",
                          "SLURM_TOPOLOGY_ADDR is not set, although Slurm has a topology",
                          "do not start ranks with --export=NIL; or give topo::network a topology.conf"});
    return result;
}

findings check_hardware() {
    const auto hardware = topology::this_machine();
    return {{grade::fine, "hardware",
             "hwloc sees " + std::to_string(hardware.core_count()) + " cores of this machine", ""}};
}

findings check_shared_memory() {
    struct statvfs space {};
    if (statvfs("/dev/shm", &space) != 0)
        return {{grade::wrong, "shared memory", std::string{"/dev/shm: "} + std::strerror(errno),
                 "mount a tmpfs there"}};
    const auto total = static_cast<std::uint64_t>(space.f_blocks) * space.f_frsize;
    const auto left = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
    const std::string text = "/dev/shm has " + bytes_text(total) + ", " + bytes_text(left) + " of it free";
    // Open MPI takes 4 MiB a rank for its messages; the rest is for windows.
    constexpr std::uint64_t least = std::uint64_t{8} << 20, comfortable = std::uint64_t{128} << 20;
    const std::string remedy =
        left < total / 2 ? "remove what is left over there (ls -l /dev/shm)"
                         : "containers get more by --shm-size=1g, a tmpfs by mount -o remount,size=1g";
    if (left < least) return {{grade::wrong, "shared memory", text + ": MPI itself needs more", remedy}};
    if (left < comfortable) return {{grade::advice, "shared memory", text + ": little for windows", remedy}};
    return {{grade::fine, "shared memory", text, ""}};
}

findings check_left_overs() {
    std::vector<std::string> left;
    std::uint64_t bytes = 0;
    std::error_code none;
    std::vector<std::string> of_mpi;
    for (const auto& file : fs::directory_iterator{"/dev/shm", none}) {
        struct stat about {};
        const std::string name = file.path().filename().string();
        if (is_of_mpi(name) && stat(file.path().c_str(), &about) == 0 && about.st_uid == geteuid())
            of_mpi.push_back(name);
    }
    if (!of_mpi.empty()) { // looked at after them: who has just made a file has it open
        const auto used = used_shared_memory();
        for (const auto& name : of_mpi) {
            std::error_code gone;
            const auto size = fs::file_size("/dev/shm/" + name, gone);
            if (used.contains(name) || gone) continue;
            left.push_back(name);
            bytes += size;
        }
    }
    if (left.empty()) return {{grade::fine, "left-overs", "none in /dev/shm", ""}};
    // In a container whose /dev/shm is that of its host, who has a file open may be out of sight.
    const bool sees_all = fs::read_symlink("/proc/self/ns/pid", none) == first_pid_namespace;
    std::ranges::sort(left);
    std::string command = sees_all ? "rm" : "if nothing outside of this container has them open: rm";
    for (std::size_t i = 0; i < std::min<std::size_t>(left.size(), 8); ++i)
        command += " /dev/shm/" + left[i];
    return {
        {sees_all ? grade::wrong : grade::advice, "left-overs",
         std::to_string(left.size()) + " files of ended MPI programs in /dev/shm hold " + bytes_text(bytes),
         command + (left.size() > 8 ? " ..." : "")}};
}

findings check_cma() {
    // A rank reads the memory of another that is not its child. So does this child, of its parent's.
    const int wanted = 42;
    const pid_t self = getpid();
    const pid_t child = fork();
    if (child == 0) {
        int got = 0;
        const iovec here{&got, sizeof got}, there{const_cast<int*>(&wanted), sizeof wanted};
        const auto moved = process_vm_readv(self, &here, 1, &there, 1, 0);
        _exit(moved == sizeof got && got == wanted ? 0 : moved < 0 ? errno : 1);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return {{grade::fine, "single copies", "a process may read another's memory (CMA)", ""}};
    std::ifstream scope{"/proc/sys/kernel/yama/ptrace_scope"};
    int number = 0;
    const bool is_scoped = static_cast<bool>(scope >> number) && number > 0;
    return {{grade::advice, "single copies",
             std::string{"a process may not read another's memory (CMA: "} +
                 std::strerror(WIFEXITED(status) ? WEXITSTATUS(status) : EPERM) +
                 "): long messages inside a node are copied twice",
             is_scoped ? "sysctl kernel.yama.ptrace_scope=0, by who may"
                       : "start the container with --cap-add SYS_PTRACE or without its seccomp profile"}};
}

} // namespace topo::tool
