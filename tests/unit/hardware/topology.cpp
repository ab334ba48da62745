// SPDX-License-Identifier: BSL-1.0
// One node's hardware: which objects contain a binding, on every arrangement of memory, and broken XML.
#include "support/complaint.hpp"
#include "support/files.hpp"
#include <topomp/hardware/topology.hpp>

#include <doctest/doctest.h>
#include <hwloc.h>

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace topology_tests {

namespace {

using topo::cpu_set;
using topo::topology;

static_assert(!std::is_copy_constructible_v<topology> && !std::is_copy_assignable_v<topology>);
static_assert(std::is_nothrow_move_constructible_v<topology>);

topology from_data(const std::string& name) { return topology::from_xml(topo_test::data_file(name)); }

std::string shown(const std::vector<topo::hardware_object>& path) {
    std::ostringstream text;
    text << topo::place{path};
    return text.str();
}

/// The path of a binding below the machine, as text: `Package#0 > Core#1 > PU#1`.
std::string inside(const topology& hardware, const std::string& cpus) {
    auto path = hardware.path_of(cpus.empty() ? cpu_set{} : cpu_set::parse(cpus));
    REQUIRE(path.front() == topo::hardware_object{topo::kind::machine, 0, {}});
    path.erase(path.begin());
    return shown(path);
}

int numa_nodes(const topology& hardware) {
    return hwloc_get_nbobjs_by_type(hardware.native_handle(), HWLOC_OBJ_NUMANODE);
}

std::string complaint_about_xml(const std::filesystem::path& file) {
    return topo_test::complaint<topo::input_error>([&] { topology::from_xml(file); });
}

/// What is written to this process's standard error while the object lives.
class captured_errors {
public:
    captured_errors() : saved_(::dup(STDERR_FILENO)) {
        const auto file = directory_.file("stderr", "");
        const int target = ::open(file.c_str(), O_WRONLY | O_APPEND);
        REQUIRE(saved_ >= 0);
        REQUIRE(target >= 0);
        ::dup2(target, STDERR_FILENO);
        ::close(target);
    }
    captured_errors(const captured_errors&) = delete;
    captured_errors& operator=(const captured_errors&) = delete;
    ~captured_errors() { restore(); }

    std::string text() {
        restore();
        std::ifstream in{directory_.path() / "stderr"};
        return {std::istreambuf_iterator<char>{in}, {}};
    }

private:
    void restore() {
        if (saved_ < 0) return;
        ::dup2(saved_, STDERR_FILENO);
        ::close(std::exchange(saved_, -1));
    }
    topo_test::temporary_directory directory_;
    int saved_;
};

} // namespace

TEST_CASE("topology: the smallest object that contains the whole binding ends the path") {
    const auto hardware = topology::from_synthetic("package:2 l3:2 l2:2 core:2 pu:1");
    CHECK(hardware.core_count() == 16);
    CHECK(to_string(hardware.cpus()) == "0-15");
    CHECK(to_string(hardware.core(9)) == "9");
    CHECK(inside(hardware, "5") == "Package#0 > L3Cache#1 > L2Cache#2 > Core#5 > PU#5");
    CHECK(inside(hardware, "4-5") == "Package#0 > L3Cache#1 > L2Cache#2");
    CHECK(inside(hardware, "4-7") == "Package#0 > L3Cache#1");
    CHECK(inside(hardware, "5-6") == "Package#0 > L3Cache#1");
    CHECK(inside(hardware, "0,7") == "Package#0");
    CHECK(inside(hardware, "8-15") == "Package#1");
    CHECK(inside(hardware, "7-8").empty());
    CHECK(inside(hardware, "0-15").empty());
}

TEST_CASE("topology: an empty binding is no binding, and CPUs that are not there do not count") {
    const auto hardware = topology::from_synthetic("package:2 core:2 pu:1");
    CHECK(inside(hardware, "").empty());
    CHECK(inside(hardware, "99").empty());
    CHECK(inside(hardware, "1,99") == "Package#0 > Core#1 > PU#1");
}

TEST_CASE("topology: without cores its PUs are counted") {
    const auto hardware = topology::from_synthetic("package:2 pu:3");
    CHECK(hardware.core_count() == 6);
    CHECK(to_string(hardware.core(4)) == "4");
    CHECK(inside(hardware, "4") == "Package#1 > PU#4");
}

TEST_CASE("topology: HBM beside DRAM on a package is one level") {
    const auto hardware = from_data("hbm_beside_dram.xml");
    REQUIRE(numa_nodes(hardware) == 4);
    CHECK(inside(hardware, "0") == "Package#0 > NUMANode#0 > Core#0 > PU#0");
    CHECK(inside(hardware, "0-1") == "Package#0 > NUMANode#0");
    CHECK(inside(hardware, "3") == "Package#1 > NUMANode#2 > Core#3 > PU#3");
    CHECK(inside(hardware, "1-2").empty());
}

TEST_CASE("topology: NUMA nodes on L3 caches") {
    const auto hardware = from_data("numa_on_l3.xml");
    CHECK(inside(hardware, "0") == "Package#0 > L3Cache#0 > NUMANode#0 > Core#0 > PU#0");
    CHECK(inside(hardware, "6-7") == "Package#1 > L3Cache#3 > NUMANode#3");
    CHECK(inside(hardware, "1-2") == "Package#0");
}

TEST_CASE("topology: sub-NUMA clusters are groups, and far memory around them is no level") {
    const auto hardware = from_data("sub_numa_groups.xml");
    REQUIRE(numa_nodes(hardware) == 6);
    CHECK(inside(hardware, "0") == "Package#0 > Group0#0 > NUMANode#0 > Core#0 > PU#0");
    CHECK(inside(hardware, "6-7") == "Package#1 > Group0#3 > NUMANode#4");
    CHECK(inside(hardware, "0-3") == "Package#0");
    CHECK(inside(hardware, "1-2") == "Package#0");
}

TEST_CASE("topology: far memory around all CPUs is no level") {
    const auto hardware = from_data("far_memory.xml");
    REQUIRE(numa_nodes(hardware) == 3);
    CHECK(inside(hardware, "0-1") == "Package#0 > NUMANode#0");
    CHECK(inside(hardware, "2") == "Package#1 > NUMANode#1 > Core#2 > PU#2");
    CHECK(inside(hardware, "0-3").empty());
}

TEST_CASE("topology: a NUMA node without CPUs is no level") {
    const auto hardware = from_data("memory_without_cpus.xml");
    REQUIRE(numa_nodes(hardware) == 3);
    // hwloc gives it the CPUs of the machine that it hangs on.
    CHECK(inside(hardware, "0-1") == "Package#0 > NUMANode#0");
    CHECK(inside(hardware, "2-3") == "Package#1 > NUMANode#1");
    CHECK(inside(hardware, "0-3").empty());
}

TEST_CASE("topology: a memory-side cache is no level, the NUMA node behind it is") {
    const auto file = topo_test::data_file("memory_side_cache.xml");
    std::ifstream in{file};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    REQUIRE(text.find("type=\"MemCache\"") != std::string::npos);
    const auto hardware = topology::from_xml(file);
    CHECK(inside(hardware, "0-1") == "Package#0 > NUMANode#0");
    CHECK(inside(hardware, "3") == "Package#1 > NUMANode#1 > Core#3 > PU#3");
}

TEST_CASE("topology: L3 caches around two NUMA nodes each") {
    const auto hardware = from_data("l3_around_numa.xml");
    CHECK(inside(hardware, "2") == "Package#0 > L3Cache#0 > Group0#1 > NUMANode#1 > Core#2 > PU#2");
    CHECK(inside(hardware, "2-3") == "Package#0 > L3Cache#0 > Group0#1 > NUMANode#1");
    CHECK(inside(hardware, "1-2") == "Package#0 > L3Cache#0");
    CHECK(inside(hardware, "3-4") == "Package#0");
}

TEST_CASE("topology: one NUMA node around two packages") {
    const auto hardware = topology::from_synthetic("numa:2 package:2 core:2 pu:1");
    CHECK(inside(hardware, "0-3") == "Group0#0 > NUMANode#0");
    CHECK(inside(hardware, "6") == "Group0#1 > NUMANode#1 > Package#3 > Core#6 > PU#6");
}

TEST_CASE("topology: a single NUMA node separates no ranks") {
    CHECK(inside(topology::from_synthetic("numa:1 core:2 pu:1"), "0") == "Core#0 > PU#0");
    CHECK(inside(topology::from_synthetic("package:1 [numa] core:2 pu:1"), "0-1") == "Package#0");
}

TEST_CASE("topology: groups in groups are told apart by name") {
    const auto hardware = topology::from_synthetic("group:2 group:2 core:2 pu:1");
    CHECK(inside(hardware, "0") == "Group0#0 > Group1#0 > Core#0 > PU#0");
    CHECK(inside(hardware, "6-7") == "Group0#1 > Group1#3");
}

TEST_CASE("topology: two PUs a core") {
    const auto hardware = from_data("smt.xml");
    CHECK(hardware.core_count() == 4);
    CHECK(to_string(hardware.core(1)) == "1,5");
    CHECK(inside(hardware, "5") == "Package#0 > NUMANode#0 > Core#1 > PU#3");
    CHECK(inside(hardware, "1,5") == "Package#0 > NUMANode#0 > Core#1");
    CHECK(inside(hardware, "0,5") == "Package#0 > NUMANode#0");
    CHECK(inside(hardware, "5,6").empty());
}

TEST_CASE("topology: uneven inside, with gaps in the CPU numbers") {
    const auto hardware = from_data("uneven.xml");
    CHECK(hardware.core_count() == 4);
    CHECK(to_string(hardware.cpus()) == "0-3,8,16-17");
    CHECK(inside(hardware, "0-3") == "Package#0 > L3Cache#0");
    CHECK(inside(hardware, "8") == "Package#0 > L3Cache#1 > Core#2 > PU#4");
    CHECK(inside(hardware, "3,8") == "Package#0");
    CHECK(inside(hardware, "16-17") == "Package#1 > Core#3");
    CHECK(inside(hardware, "17") == "Package#1 > Core#3 > PU#6");
    CHECK(inside(hardware, "8,16").empty());
    CHECK(inside(hardware, "4-7,9") == ""); // all gaps: unbound
}

TEST_CASE("topology: this machine") {
    const auto hardware = topology::this_machine();
    CHECK(hardware.core_count() >= 1);
    CHECK_FALSE(hardware.cpus().empty());
    CHECK_FALSE(hardware.binding().empty());
    CHECK(hardware.binding().is_subset_of(hardware.cpus()));
    CHECK_FALSE(hardware.last_cpu().empty());
    CHECK(hardware.last_cpu().is_subset_of(hardware.cpus()));
    const auto again = topology::this_machine();
    for (int i = 0; i < hardware.core_count(); ++i) {
        const auto path = hardware.path_of(hardware.core(i));
        CHECK(path.front().kind == topo::kind::machine);
        CHECK(path == again.path_of(again.core(i)));
    }
}

TEST_CASE("topology: moves, and stays usable where it went") {
    auto first = topology::from_synthetic("core:3 pu:1");
    const auto second = std::move(first);
    CHECK(second.core_count() == 3);
    first = topology::from_synthetic("core:5 pu:1");
    CHECK(first.core_count() == 5);
}

TEST_CASE("topology: a broken synthetic description is named") {
    for (const std::string text : {"", "nonsense", "package:2 core", "pu:0", "core:2 core:2 pu:1"}) {
        CAPTURE(text);
        CHECK(topo_test::complaint<topo::input_error>([&] { topology::from_synthetic(text); }) ==
              "topo::topology: \"" + text + "\": hwloc does not take this as the description of a machine");
    }
}

TEST_CASE("topology: files that cannot be read are named with the reason") {
    const topo_test::temporary_directory files;
    const auto complaint = [](const std::filesystem::path& file) {
        return topo_test::complaint<topo::system_error>([&] { topology::from_xml(file); });
    };
    const auto missing = files.path() / "missing.xml";
    CHECK(complaint(missing) ==
          "topo::topology::from_xml: " + missing.string() + ": No such file or directory");
    CHECK(complaint(files.path()) ==
          "topo::topology::from_xml: " + files.path().string() + ": Is a directory");
}

TEST_CASE("topology: files that are no hwloc XML are named, and hwloc keeps quiet") {
    const topo_test::temporary_directory files;
    const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    const std::vector<std::pair<std::string, std::string>> broken{
        {"empty.xml", ""},
        {"blank.xml", "\n\n"},
        {"text.xml", "package:2 core:2\n"},
        {"binary.xml", std::string(4096, '\0')},
        {"other.xml", head + "<html><body/></html>\n"},
        {"bare.xml", head + "<topology version=\"2.0\"/>\n"},
        {"no_machine.xml", head + "<topology version=\"2.0\">\n</topology>\n"},
        {"future.xml", head + "<topology version=\"99.0\">\n</topology>\n"},
        {"no_cpus.xml", head + "<topology version=\"2.0\">\n  <object type=\"Machine\" os_index=\"0\"/>\n"
                               "</topology>\n"},
        {"unknown_type.xml", head +
                                 "<topology version=\"2.0\">\n  <object type=\"Toaster\" cpuset=\"0x1\"/>\n"
                                 "</topology>\n"},
    };
    for (const auto& each : broken) {
        CAPTURE(each.first);
        const auto file = files.file(each.first, each.second);
        captured_errors errors;
        const std::string complaint = complaint_about_xml(file);
        CHECK(errors.text().empty());
        CHECK(complaint.starts_with("topo::topology"));
        CHECK(complaint.find(": " + file.string() + ": ") != std::string::npos);
    }
}

TEST_CASE("topology: a file cut off anywhere is named") {
    const topo_test::temporary_directory files;
    std::ifstream in{topo_test::data_file("smt.xml")};
    const std::string whole{std::istreambuf_iterator<char>{in}, {}};
    REQUIRE(whole.size() > 1000);
    const std::size_t end = whole.rfind("</topology>") + std::string{"</topology>"}.size();
    REQUIRE(topology::from_xml(files.file("whole.xml", whole.substr(0, end))).core_count() == 4);
    captured_errors errors;
    for (std::size_t kept = 1; kept < end; kept = kept + 61 < end ? kept + 61 : std::max(kept + 1, end - 1)) {
        const auto file = files.file("cut.xml", whole.substr(0, kept));
        const std::string complaint = complaint_about_xml(file);
        CAPTURE(kept);
        CHECK(complaint.find(file.string()) != std::string::npos);
    }
    CHECK(errors.text().empty());
}

} // namespace topology_tests
