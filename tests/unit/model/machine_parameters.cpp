// SPDX-License-Identifier: BSL-1.0
// The text of measured parameters: what is written is read again, what is malformed is refused with its line;
// and what other models' parameters come out of it.
#include "support/check_fails.hpp"
#include "support/files.hpp"
#include <topomp/core/error.hpp>
#include <topomp/model/machine_parameters.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <string>

namespace machine_parameters_tests {

using namespace topo::model;
using topo_test::check_fails;

namespace {

machine_parameters example() {
    machine_parameters result;
    result.notes = {{"date", "2018-07-01"}, {"processor", "two words"}};
    result.copies = {{4096, 2e10}, {1048576, 9.5e9}};
    machine_parameters::level network{topo::kind::cluster, 10, 0, {}};
    network.messages.single = plogp{1e-6, {{0, 3e-7, 2e-7, 5e-7}, {1000, 4e-7, 3e-7, 1.5e-6}}};
    network.messages.trips = {{0, 1.5e-6}, {1000, 3e-6}}; // more than latency and gap
    network.spreads = {{0, 0.1, 0.25, 0, 0.125}, {1000, 0, 0, 0, 2}};
    network.messages.rates = {{1, 1e9}, {2, 1.8e9}, {4, 2e9}};
    machine_parameters::level node{topo::kind::machine, 24, 7.25e-8, {}};
    node.messages.single = plogp{2e-7, {{0, 1e-7, 1e-7, 1e-7}}};
    node.messages.trips = {{0, 3e-7}};
    node.outside_rate = 3e9;
    result.levels = {network, node};
    return result;
}

} // namespace

TEST_CASE("written and read again") {
    const topo_test::temporary_directory folder;
    const auto file = folder.path() / "parameters";
    std::ofstream out{file};
    example().write(out);
    out.close();
    CHECK(machine_parameters::read(file) == example());
}

TEST_CASE("other models' parameters, by hand") {
    const measured_messages messages = example().levels[0].messages;
    CHECK(messages.member_rate() == doctest::Approx(2e9));
    CHECK(messages.cost(1000, 1).time == doctest::Approx(3e-6));
    CHECK(messages.cost(1000, 1).gap == doctest::Approx(1.5e-6));
    CHECK(messages.cost(1000, 4).gap == doctest::Approx(2e-6)); // four of them share 2 GB/s
    CHECK(messages.as_hockney().latency == doctest::Approx(1.5e-6));
    CHECK(messages.as_hockney().seconds_per_byte == doctest::Approx(1.5e-9));
    CHECK(messages.as_log_gp().overhead == doctest::Approx(2.5e-7));
    CHECK(messages.as_log_gp().latency == doctest::Approx(1e-6));
    CHECK(messages.as_log_gp().gap == doctest::Approx(5e-7));
    CHECK(messages.as_max_rate().rank_rate == doctest::Approx(1e9 / 1.5));
    CHECK(messages.as_max_rate().node_rate == doctest::Approx(2e9));
    CHECK(example().levels[1].messages.cost(8, 24).time == doctest::Approx(3e-7)); // no limit was measured
    measured_messages untimed = messages;
    untimed.trips.clear();
    CHECK(untimed.cost(1000).time == doctest::Approx(2.5e-6)); // latency and gap
    CHECK(example().models().size() == 2);
    CHECK(example().models()[0].members == 10);
}

TEST_CASE("what is malformed") {
    const topo_test::temporary_directory folder;
    const auto refuses = [&](const std::string& text, const std::string& where, const std::string& problem) {
        const auto file = folder.file("parameters", text);
        check_fails<topo::input_error>(
            [&] { machine_parameters::read(file); },
            {"topo::model::machine_parameters::read", file.string(), where, problem});
    };
    const std::string begin = "# a comment\nformat 1\nlevel 2 Machine\n";
    refuses("", "line 0", "no line 'format 1'");
    refuses("format 2\n", "line 1", "only format 1 is known");
    refuses("format 1\nfoo 1\n", "line 2", "unknown word 'foo'");
    refuses("format 1\nlatency 1\n", "line 2", "before the first level");
    refuses("format 1\nlevel 0 Machine\n", "line 2", "expected a number of members");
    refuses("format 1\nlevel 2 Foo\n", "line 2", "unknown kind 'Foo'");
    refuses(begin, "line 3", "without a line of messages");
    refuses(begin + "latency -1\n", "line 4", "expected a latency");
    refuses(begin + "latency 1 2\n", "line 4", "unexpected '2'");
    refuses(begin + "message 8 1 1\n", "line 4", "expected a time");
    refuses(begin + "message 8 1 1 nan\n", "line 4", "expected a time");
    refuses(begin + "message 8 1 1 1\n", "line 4", "expected a time");
    refuses(begin + "message 8 1 1 1 1\nmessage 8 1 1 1 1\n", "line 5", "messages must ascend");
    refuses(begin + "outside -1\n", "line 4", "expected a rate");
    refuses(begin + "flows 2 1\nflows 1 1\n", "line 5", "flows must ascend");
    refuses("format 1\ncopy 8\n", "line 2", "expected a rate");
    check_fails<topo::system_error>([&] { machine_parameters::read(folder.path() / "missing"); },
                                    {"missing"});
}

} // namespace machine_parameters_tests
