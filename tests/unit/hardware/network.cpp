// SPDX-License-Identifier: BSL-1.0
// The sources of switch names: Slurm's variables, topology.conf, the plain file, a callback.
#include <topomp/hardware/network.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace network_tests {

namespace {

using path_of_switches = std::vector<std::string>;

/// Sets or unsets an environment variable and puts it back.
class scoped_variable {
public:
    scoped_variable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        set(value);
    }
    scoped_variable(const scoped_variable&) = delete;
    scoped_variable& operator=(const scoped_variable&) = delete;
    ~scoped_variable() { set(before_ ? before_->c_str() : nullptr); }

private:
    void set(const char* value) {
        if (value)
            ::setenv(name_, value, 1);
        else
            ::unsetenv(name_);
    }

    const char* name_;
    std::optional<std::string> before_;
};

/// Both of Slurm's variables; null leaves one unset.
struct scoped_address {
    scoped_address(const char* address, const char* pattern)
        : address_("SLURM_TOPOLOGY_ADDR", address), pattern_("SLURM_TOPOLOGY_ADDR_PATTERN", pattern) {}
    scoped_variable address_;
    scoped_variable pattern_;
};

/// A file in a new temporary directory; both go with it.
class scoped_file {
public:
    explicit scoped_file(const std::string& content) {
        std::string directory = (std::filesystem::temp_directory_path() / "topomp-network-XXXXXX").string();
        if (!::mkdtemp(directory.data())) throw std::runtime_error("mkdtemp " + directory);
        directory_ = directory;
        write(content);
    }
    scoped_file(const scoped_file&) = delete;
    scoped_file& operator=(const scoped_file&) = delete;
    ~scoped_file() {
        std::error_code ignored;
        std::filesystem::remove_all(directory_, ignored);
    }

    void write(const std::string& content) const { std::ofstream{path(), std::ios::binary} << content; }
    std::filesystem::path directory() const { return directory_; }
    std::filesystem::path path() const { return directory_ / "switches.txt"; }
    std::string name() const { return path().string(); }

private:
    std::filesystem::path directory_;
};

/// What the exception of type Error says that `switches_of` throws.
template <class Error>
std::string complaint(const topo::network& network, const std::string& host) {
    try {
        network.switches_of(host);
    } catch (const Error& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string{"another exception: "} + error.what();
    }
    return "no exception";
}

std::string environment_complaint(const char* address, const char* pattern) {
    const scoped_address variables{address, pattern};
    return complaint<topo::input_error>(topo::network::slurm_environment(), "n0");
}

const std::string in_environment = "topo::network::slurm_environment: ";

/// What is said about a file, without the call and the path in front.
std::string file_complaint(const topo::network& network, const std::string& call) {
    const std::string said = complaint<topo::input_error>(network, "n0");
    const std::string front = "topo::network::" + call + ": " + std::string{network.source()} + ", ";
    return said.rfind(front, 0) == 0 ? said.substr(front.size()) : said;
}

std::string conf_complaint(const std::string& content) {
    const scoped_file file{content};
    return file_complaint(topo::network::slurm_conf(file.path()), "slurm_conf");
}

std::string plain_complaint(const std::string& content) {
    const scoped_file file{content};
    return file_complaint(topo::network::file(file.path()), "file");
}

path_of_switches in_conf(const std::string& content, const std::string& host) {
    const scoped_file file{content};
    return topo::network::slurm_conf(file.path()).switches_of(host);
}

path_of_switches in_plain(const std::string& content, const std::string& host) {
    const scoped_file file{content};
    return topo::network::file(file.path()).switches_of(host);
}

} // namespace

TEST_CASE("network: a value that copies cheaply") {
    static_assert(std::is_nothrow_move_constructible_v<topo::network>);
    static_assert(std::is_copy_assignable_v<topo::network>);
    const topo::network none = topo::network::none();
    CHECK(none.source() == "none");
    CHECK(none.switches_of("anything").empty());
    topo::network copy = topo::network::slurm_environment();
    CHECK(copy.source() == "SLURM_TOPOLOGY_ADDR");
    copy = none;
    CHECK(copy.source() == "none");
}

TEST_CASE("slurm environment: nothing set, nothing known") {
    const topo::network network = topo::network::slurm_environment();
    {
        const scoped_address unset{nullptr, nullptr};
        CHECK(network.switches_of("n0").empty());
    }
    const scoped_address empty{"", "switch.node"};
    CHECK(network.switches_of("n0").empty());
}

TEST_CASE("slurm environment: read at the question, outermost first") {
    const topo::network network = topo::network::slurm_environment();
    {
        const scoped_address set{"s0.s4.s8.tux1", "switch.switch.switch.node"};
        CHECK(network.switches_of("tux1") == path_of_switches{"s0", "s4", "s8"});
    }
    {
        const scoped_address set{"root_switch.CELL1.iswi1r4s0c1l1.belenos386", "switch.switch.switch.node"};
        CHECK(network.switches_of("belenos386") == path_of_switches{"root_switch", "CELL1", "iswi1r4s0c1l1"});
    }
    const scoped_address flat{"tux1", "node"};
    CHECK(network.switches_of("tux1").empty());
}

TEST_CASE("slurm environment: without a pattern the last component is the node") {
    for (const char* pattern : {static_cast<const char*>(nullptr), ""}) {
        const scoped_address set{"s0.s1.n0", pattern};
        CHECK(topo::network::slurm_environment().switches_of("n0") == path_of_switches{"s0", "s1"});
        CHECK(topo::network::slurm_environment().switches_of("n0.site.org") == path_of_switches{"s0", "s1"});
    }
    const scoped_address alone{"n0", nullptr};
    CHECK(topo::network::slurm_environment().switches_of("n0").empty());
}

TEST_CASE("slurm environment: a node's name may have dots") {
    const scoped_address set{"s0.s1.n0.site.org", "switch.switch.node"};
    const topo::network network = topo::network::slurm_environment();
    CHECK(network.switches_of("n0.site.org") == path_of_switches{"s0", "s1"});
    CHECK(network.switches_of("n0") == path_of_switches{"s0", "s1"});
}

TEST_CASE("slurm environment: components that Slurm leaves empty or fills otherwise") {
    const topo::network network = topo::network::slurm_environment();
    {
        const scoped_address ragged{"s9..s1.n0",
                                    "switch.switch.switch.node"}; // the leaf hangs two heights below
        CHECK(network.switches_of("n0") == path_of_switches{"s9", "s1"});
    }
    {
        const scoped_address unconnected{"..n0", "switch.switch.node"};
        CHECK(network.switches_of("n0").empty());
    }
    {
        const scoped_address block{"b8.n0", "block.node"};
        CHECK(network.switches_of("n0") == path_of_switches{"b8"});
    }
    {
        const scoped_address two_leaves{"top.s[0-1].n0", "switch.switch.node"};
        CHECK(network.switches_of("n0") == path_of_switches{"top", "s[0-1]"});
    }
    const scoped_address torus{"t1:3:0:2.n0", "torus:x:y:z.node"};
    CHECK(network.switches_of("n0") == path_of_switches{"t1"});
}

TEST_CASE("slurm environment: contradictions name the variable, its value and the component") {
    CHECK(environment_complaint("s0.n0", "switch.switch.node") ==
          in_environment +
              "SLURM_TOPOLOGY_ADDR=\"s0.n0\", component 2, column 4: ends after 2 of the 3 components of "
              "SLURM_TOPOLOGY_ADDR_PATTERN");
    CHECK(environment_complaint("s0.", "switch.node") ==
          in_environment +
              "SLURM_TOPOLOGY_ADDR=\"s0.\", component 2, column 4: the name of the node is missing");
    CHECK(environment_complaint("s0..org", "switch.node") ==
          in_environment +
              "SLURM_TOPOLOGY_ADDR=\"s0..org\", component 2, column 4: '.org' is no name of a node");
    CHECK(environment_complaint("s0.", nullptr) ==
          in_environment +
              "SLURM_TOPOLOGY_ADDR=\"s0.\", component 2, column 4: the name of the node is missing");
    CHECK(environment_complaint("s0.n0", "switch.switch") ==
          in_environment + "SLURM_TOPOLOGY_ADDR_PATTERN=\"switch.switch\", component 2, column 8: 'node' "
                           "must be the last component");
    CHECK(environment_complaint("s0.n0", "node.switch") ==
          in_environment + "SLURM_TOPOLOGY_ADDR_PATTERN=\"node.switch\", component 1, column 1: 'node' must "
                           "be the last component");
    CHECK(environment_complaint("s0.n0", "switch..node") ==
          in_environment + "SLURM_TOPOLOGY_ADDR_PATTERN=\"switch..node\", component 2, column 8: a type of "
                           "component is missing");
    CHECK(environment_complaint("s0.n0", "switch.node.") ==
          in_environment + "SLURM_TOPOLOGY_ADDR_PATTERN=\"switch.node.\", component 2, column 8: 'node' must "
                           "be the last component");
    CHECK(environment_complaint("t1:3:0.n0", "torus:x:y:z.node") ==
          in_environment + "SLURM_TOPOLOGY_ADDR=\"t1:3:0.n0\", component 1, column 1: 't1:3:0' is not of the "
                           "form 'torus:x:y:z'");
}

TEST_CASE("slurm environment: Slurm's name of the node need not be the host's") {
    const scoped_address copied{"s0.s1.n0", "switch.switch.node"};
    CHECK(topo::network::slurm_environment().switches_of("n7") == std::vector<std::string>{"s0", "s1"});
}

namespace {

// The example of Slurm's manual, with what the format allows around it.
const char* const example = "##################################################################\n"
                            "# Slurm's network topology\n"
                            "##################################################################\n"
                            "SwitchName=s0 Nodes=dev[0-5]   # the first leaf\r\n"
                            "\n"
                            "switchname=s1 NODES=dev[6-11] linkspeed=900\n"
                            "\tSwitchName = s2 \\\n"
                            "   Nodes = \"dev[12-15],\\\n"
                            "dev[16-17]\"\n"
                            "SwitchName=s3 Switches=s[0-2] LinkSpeed=1800";

} // namespace

TEST_CASE("slurm topology.conf: the tree of the manual") {
    const scoped_file file{example};
    const topo::network network = topo::network::slurm_conf(file.path());
    CHECK(network.source() == file.name());
    for (int node = 0; node < 18; ++node) {
        const std::string leaf = "s" + std::to_string(node / 6);
        CHECK(network.switches_of("dev" + std::to_string(node)) == path_of_switches{"s3", leaf});
    }
}

TEST_CASE("slurm topology.conf: several tops, uneven depth, parents before children") {
    const char* const content = "SwitchName=top Switches=mid,leaf2\n"
                                "SwitchName=mid Switches=leaf[0-1]\n"
                                "SwitchName=leaf0 Nodes=a[0-1]\n"
                                "SwitchName=leaf1 Nodes=b\n"
                                "SwitchName=leaf2 Nodes=c,c\n"
                                "SwitchName=other Nodes=d.site.org\n";
    CHECK(in_conf(content, "a1") == path_of_switches{"top", "mid", "leaf0"});
    CHECK(in_conf(content, "b") == path_of_switches{"top", "mid", "leaf1"});
    CHECK(in_conf(content, "c") == path_of_switches{"top", "leaf2"});
    CHECK(in_conf(content, "d") == path_of_switches{"other"});
}

TEST_CASE("slurm topology.conf: a comment goes before the backslash in front of it is looked at") {
    CHECK(in_conf("SwitchName=s0 \\ # joined\nNodes=n0\n", "n0") == path_of_switches{"s0"});
    CHECK(in_conf("SwitchName=s0 Nodes=n0 # not joined \\\nSwitchName=s1 Nodes=n1\n", "n1") ==
          path_of_switches{"s1"});
    CHECK(in_conf("SwitchName=s0 Nodes=n0 \\", "n0") == path_of_switches{"s0"});
}

TEST_CASE("slurm topology.conf: malformed lines are named with file, line and column") {
    const std::string keys = "; a tree of switches has SwitchName, Nodes, Switches and LinkSpeed";
    CHECK(conf_complaint("\nSwitchName=s0 Node=n0\n") == "line 2, column 15: unknown key 'Node'" + keys);
    CHECK(conf_complaint("BlockName=b0 Nodes=n0\n") == "line 1, column 1: unknown key 'BlockName'" + keys);
    CHECK(conf_complaint("#\n#\n  Nodes=n0\n") == "line 3, column 3: a line without SwitchName");
    CHECK(conf_complaint("SwitchName=s0\n") == "line 1, column 12: neither Nodes nor Switches for 's0'");
    CHECK(conf_complaint("SwitchName=s0 LinkSpeed=1\n") ==
          "line 1, column 12: neither Nodes nor Switches for 's0'");
    CHECK(conf_complaint("SwitchName=s0 Nodes=n0 Switches=s1\n") ==
          "line 1, column 12: both Nodes and Switches for 's0'");
    CHECK(conf_complaint("SwitchName=s0 Nodes=n0 nodes=n1\n") ==
          "line 1, column 24: Nodes twice in one line");
    CHECK(conf_complaint("Include other.conf\n") == "line 1, column 1: expected KEY=VALUE, found 'Include'");
    CHECK(conf_complaint("SwitchName=s0 Nodes=n0 stray\n") ==
          "line 1, column 24: expected KEY=VALUE, found 'stray'");
    CHECK(conf_complaint("=s0\n") == "line 1, column 1: unknown key ''" + keys);
    CHECK(conf_complaint("SwitchName=s0 Nodes=\n") == "line 1, column 20: no value for Nodes");
    CHECK(conf_complaint("SwitchName=s0 Nodes=\"\"\n") == "line 1, column 22: no value for Nodes");
    CHECK(conf_complaint("SwitchName=s0 Nodes=\"n0\n") == "line 1, column 21: a quote that is never closed");
    CHECK(conf_complaint("SwitchName=s[0-1] Nodes=n0\n") ==
          "line 1, column 12: SwitchName takes one name, not a list");
    CHECK(conf_complaint("SwitchName=s0 Nodes=n[1-0]\n") ==
          "line 1, column 23: the range 1-0 runs backwards");
    CHECK(conf_complaint("SwitchName=s0 Nodes=n0\nSwitchName=s1 \\\n  Switches=s[0\n") ==
          "line 3, column 13: '[' is never closed");
}

TEST_CASE("slurm topology.conf: several switches above one, as SLURM_TOPOLOGY_ADDR has them") {
    const char* const spines = "SwitchName=leaf0 Nodes=n[0-1]\nSwitchName=leaf1 Nodes=n[2-3]\n"
                               "SwitchName=spine0 Switches=leaf[0-1]\nSwitchName=spine1 Switches=leaf[0-1]\n";
    CHECK(in_conf(spines, "n0") == path_of_switches{"spine[0-1]", "leaf0"});
    CHECK(in_conf(spines, "n3") == path_of_switches{"spine[0-1]", "leaf1"});
    // One of them above other leaves, too, and one above both at another height.
    const char* const uneven =
        "SwitchName=top Switches=b,leaf2\n"
        "SwitchName=a Switches=leaf0\nSwitchName=b Switches=leaf0,leaf1\n"
        "SwitchName=leaf0 Nodes=n0\nSwitchName=leaf1 Nodes=n1\nSwitchName=leaf2 Nodes=n2\n";
    CHECK(in_conf(uneven, "n0") == path_of_switches{"top", "a,b", "leaf0"});
    CHECK(in_conf(uneven, "n1") == path_of_switches{"top", "b", "leaf1"});
    CHECK(in_conf(uneven, "n2") == path_of_switches{"top", "leaf2"});
    // A node with two links.
    const char* const rails =
        "SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[3-4]\nSwitchName=t Switches=s[0-1]\n";
    CHECK(in_conf(rails, "n0") == path_of_switches{"t", "s0"});
    CHECK(in_conf(rails, "n3") == path_of_switches{"t", "s[0-1]"});
    CHECK(in_conf(rails, "n4") == path_of_switches{"t", "s1"});
}

TEST_CASE("slurm topology.conf: switches that cannot be are named") {
    CHECK(conf_complaint("SwitchName=s0 Nodes=n0\nSwitchName=s0 Nodes=n1\n") ==
          "line 2, column 12: switch 's0' is defined at line 1, column 12 already");
    CHECK(conf_complaint("SwitchName=s0 Nodes=n0\nSwitchName=a Switches=s[0-1]\n") ==
          "line 2, column 12: child switch 's1' of 'a' is never defined");
    CHECK(conf_complaint("SwitchName=a Switches=a\n") ==
          "line 1, column 12: the switches form a cycle: 'a' under 'a'");
    CHECK(conf_complaint("SwitchName=s0 Nodes=n0\nSwitchName=t Switches=s0\nSwitchName=a Switches=b\n"
                         "SwitchName=b Switches=c\nSwitchName=c Switches=a\n") ==
          "line 3, column 12: the switches form a cycle: 'a' under 'c' under 'b' under 'a'");
    CHECK(conf_complaint("SwitchName=over Switches=a\nSwitchName=a Switches=s0,b\nSwitchName=b Switches=a\n"
                         "SwitchName=s0 Nodes=n0\nSwitchName=other Switches=b\n") ==
          "line 2, column 12: the switches form a cycle: 'a' under 'b' under 'a'");
    CHECK(in_conf("SwitchName=s0 Nodes=n0\nSwitchName=a Switches=s0,s0\n", "n0") ==
          path_of_switches{"a", "s0"});
}

TEST_CASE("plain file: hosts, paths and comments") {
    const char* const content = "# host: switches\n"
                                "n[0-1]:  spine leaf0\n"
                                "\n"
                                "  n2,n3.site.org : spine\tleaf1 # comment\r\n"
                                "login:\n"
                                "far: wan";
    const scoped_file file{content};
    const topo::network network = topo::network::file(file.path());
    CHECK(network.source() == file.name());
    CHECK(network.switches_of("n0") == path_of_switches{"spine", "leaf0"});
    CHECK(network.switches_of("n1") == path_of_switches{"spine", "leaf0"});
    CHECK(network.switches_of("n2") == path_of_switches{"spine", "leaf1"});
    CHECK(network.switches_of("n3") == path_of_switches{"spine", "leaf1"});
    CHECK(network.switches_of("login").empty());
    CHECK(network.switches_of("far") == path_of_switches{"wan"});
    CHECK(in_plain("n0: 0 0\nn1: 1 0\n", "n1") == path_of_switches{"1", "0"});
}

TEST_CASE("files: which switches have the same hosts below them") {
    const scoped_file file{"n[0-1]: spine row leaf0\nn2: spine row leaf1\nn3: attic shelf\n"};
    const auto filling = [&](const topo::network& from, const std::string& host) {
        std::string text;
        for (const auto& each : from.path_to(host))
            text += (each.fills_outer ? "=" : "") + to_string(each) + ' ';
        return text;
    };
    const auto plain = topo::network::file(file.path());
    CHECK(filling(plain, "n0") == "spine =row leaf0 n0 ");
    CHECK(filling(plain, "n2") == "spine =row leaf1 =n2 ");
    CHECK(filling(plain, "n3") == "attic =shelf =n3 ");
    CHECK(plain.path_to("n3").back() == topo::hardware_object{topo::kind::machine, 0, "n3"});
    // Who is asked for one host does not know the others.
    const auto callback = topo::network::callback([](const std::string&) {
        return std::vector<std::string>{"s", "t"};
    });
    CHECK(filling(callback, "n0") == "s t n0 ");
    CHECK(filling(topo::network::none(), "n0") == "n0 ");
}

TEST_CASE("plain file: malformed lines are named with file, line and column") {
    const std::string blanks = ": the names of switches stand apart with blanks between them";
    CHECK(plain_complaint("#\n  n0 s0 s1\n") ==
          "line 2, column 3: expected 'host: switches', outermost first");
    CHECK(plain_complaint("n0: s0\n: s0\n") == "line 2, column 1: a name is missing");
    CHECK(plain_complaint("n[0-: s0\n") == "line 1, column 2: '[' is never closed");
    CHECK(plain_complaint("  n[1-0]: s0\n") == "line 1, column 5: the range 1-0 runs backwards");
    CHECK(plain_complaint("n0 n1: s0\n") == "line 1, column 3: a blank inside a list of names");
    CHECK(plain_complaint("n0: s0,s1\n") == "line 1, column 7: unexpected ','" + blanks);
    CHECK(plain_complaint("n0: s0 n1: s0\n") == "line 1, column 10: unexpected ':'" + blanks);
    CHECK(plain_complaint("n0: s[0-1]\n") == "line 1, column 6: unexpected '['" + blanks);
    CHECK(plain_complaint("n[0-3]: s0\n\n n3: s1\n") ==
          "line 3, column 2: host 'n3' stands at line 1, column 1 already");
    CHECK(plain_complaint("n0: s0 \\\ns1\n") ==
          "line 2, column 1: expected 'host: switches', outermost first");
}

TEST_CASE("files: a host matches by its full name, else by the name up to the first dot on one side") {
    const scoped_file file{"a: s0\na.one.org: s1\nb.one.org: s2\nc.one.org: s3\nc.two.org: s4\n"
                           "d.one.org: s5\nd.two.org: s5\n10.0.0.1: s6\nc.three.org: s7\n"};
    const topo::network network = topo::network::file(file.path());
    CHECK(network.switches_of("a") == path_of_switches{"s0"});
    CHECK(network.switches_of("a.one.org") == path_of_switches{"s1"});
    CHECK(network.switches_of("a.two.org") == path_of_switches{"s0"});
    CHECK(network.switches_of("b") == path_of_switches{"s2"});
    CHECK(network.switches_of("d") == path_of_switches{"s5"});
    CHECK(complaint<topo::argument_error>(network, "b.two.org") ==
          "topo::network::switches_of: host 'b.two.org': not in " + file.name());
    CHECK(complaint<topo::argument_error>(network, "c") ==
          "topo::network::switches_of: host 'c': means hosts under different switches in " + file.name());
    CHECK(complaint<topo::argument_error>(network, "10.0.0.2") ==
          "topo::network::switches_of: host '10.0.0.2': not in " + file.name());
    CHECK(complaint<topo::argument_error>(network, "") ==
          "topo::network::switches_of: host '': not in " + file.name());
}

TEST_CASE("files: an unknown host names the host and the file") {
    const scoped_file file{example};
    CHECK(complaint<topo::argument_error>(topo::network::slurm_conf(file.path()), "dev18") ==
          "topo::network::switches_of: host 'dev18': not in " + file.name());
    const scoped_file empty{""};
    CHECK(complaint<topo::argument_error>(topo::network::file(empty.path()), "n0") ==
          "topo::network::switches_of: host 'n0': not in " + empty.name());
}

TEST_CASE("files: what cannot be read names the path and the reason, at the question only") {
    const scoped_file file{""};
    const std::filesystem::path missing = file.directory() / "missing";
    CHECK(complaint<topo::system_error>(topo::network::slurm_conf(missing), "n0") ==
          "topo::network::slurm_conf: " + missing.string() + ": No such file or directory");
    CHECK(complaint<topo::system_error>(topo::network::file(missing), "n0") ==
          "topo::network::file: " + missing.string() + ": No such file or directory");
    CHECK(complaint<topo::system_error>(topo::network::file(file.directory()), "n0") ==
          "topo::network::file: " + file.directory().string() + ": Is a directory");
}

TEST_CASE("files: read at the first question, once for all copies") {
    const scoped_file file{"broken\n"};
    const topo::network network = topo::network::file(file.path());
    const topo::network copy = network;
    CHECK(file_complaint(network, "file") == "line 1, column 1: expected 'host: switches', outermost first");
    file.write("n0: s0\n");
    CHECK(copy.switches_of("n0") == path_of_switches{"s0"}); // a failure is not remembered
    file.write("n0: s1\n");
    CHECK(network.switches_of("n0") == path_of_switches{"s0"});
    CHECK(topo::network::file(file.path()).switches_of("n0") == path_of_switches{"s1"});
}

TEST_CASE("files: several threads may ask at once") {
    const scoped_file file{example};
    const topo::network network = topo::network::slurm_conf(file.path());
    std::vector<path_of_switches> answers(4);
    std::vector<std::thread> threads;
    for (path_of_switches& answer : answers)
        threads.emplace_back([&answer, network] { answer = network.switches_of("dev7"); });
    for (std::thread& thread : threads)
        thread.join();
    for (const path_of_switches& answer : answers)
        CHECK(answer == path_of_switches{"s3", "s1"});
}

TEST_CASE("callback: asked each time, its exceptions pass through") {
    int calls = 0;
    const topo::network network =
        topo::network::callback([&calls](const std::string& host) -> path_of_switches {
            ++calls;
            if (host == "bad") throw std::out_of_range("no such host");
            if (host == "empty") return {"top", ""};
            if (host == "alone") return {};
            return {"top", "leaf-of-" + host};
        });
    CHECK(calls == 0);
    CHECK(network.source() == "callback");
    CHECK(network.switches_of("n0") == path_of_switches{"top", "leaf-of-n0"});
    CHECK(network.switches_of("n0") == path_of_switches{"top", "leaf-of-n0"});
    CHECK(calls == 2);
    CHECK(network.switches_of("alone").empty());
    CHECK_THROWS_WITH_AS(network.switches_of("bad"), "no such host", std::out_of_range);
    CHECK(complaint<topo::input_error>(network, "empty") ==
          "topo::network::switches_of: callback for host 'empty': an empty name for switch 1");
    CHECK_THROWS_WITH_AS(topo::network::callback({}),
                         "topo::network::callback: callback: an empty std::function", topo::argument_error);
}

} // namespace network_tests
