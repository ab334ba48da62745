// SPDX-License-Identifier: BSL-1.0
// Tuning files: lines of JSON, what is refused and what is left out, and which times are read from them.
#include "support/check_fails.hpp"
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/flat_json.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/decide/detail/read_sources.hpp>
#include <topomp/decide/detail/tuning_file.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace tuning_file_tests {

using topo::plan;
using topo::plan_of;
using topo::detail::call_form;
using topo::detail::call_key;
using topo::detail::cost_origin;
using topo::detail::cost_sources;
using topo::detail::flat_json;
using topo::detail::tuning_file;
using topo::detail::verb;

namespace {

const std::string header =
    R"({"topomp_tuning":1,"machine":"a processor","mpi":"an MPI","date":"2026-11-24","nodes":2,"ranks":8,)"
    R"("least_ranks_of_node":4,"most_ranks_of_node":4})"
    "\n";

std::string line(const std::string& verb, std::size_t bytes, const std::string& policy,
                 const std::string& seconds) {
    return R"({"verb":")" + verb + R"(","bytes":)" + std::to_string(bytes) + R"(,"policy":")" + policy +
           R"(","seconds":)" + seconds + "}\n";
}

tuning_file read(const std::string& text) {
    std::string skipped;
    return tuning_file::read("file", text, skipped);
}

/// What is said of the lines that are left out, and how many rows remain.
std::string skipped_of(const std::string& text, std::size_t rows) {
    std::string skipped;
    CHECK(tuning_file::read("file", text, skipped).rows.size() == rows);
    return skipped;
}

call_key key(verb what, std::size_t bytes) {
    return {.what = what,
            .joins_all = topo::kind::cluster,
            .max_depth = 1,
            .bytes = bytes,
            .ranks = 8,
            .uses_memory = false,
            .ranks_of_node = 4,
            .least_of_node = 4,
            .node_count = 2};
}

} // namespace

TEST_CASE("objects of plain values are read, and nothing else") {
    std::string problem;
    const auto found = flat_json::read(R"( {"a": "x \"y\" \\", "b" :-1.5e3, "c":true,"d":false} )", problem);
    REQUIRE(found);
    REQUIRE(found->text("a") != nullptr);
    CHECK(*found->text("a") == "x \"y\" \\");
    CHECK(found->number("b") == -1500);
    CHECK(found->truth("c") == true);
    CHECK(found->truth("d") == false);
    CHECK(found->text("b") == nullptr);
    CHECK_FALSE(found->number("a"));
    CHECK_FALSE(found->number("e"));
    for (const char* const bad : {"",
                                  "[]",
                                  "{",
                                  "{\"a\"",
                                  "{\"a\":",
                                  "{\"a\":1",
                                  "{\"a\":1,",
                                  "{\"a\":1,}",
                                  "{\"a\":1}x",
                                  "{\"a\" 1}",
                                  "{\"a\":nan}",
                                  "{\"a\":inf}",
                                  "{\"a\":1e999}",
                                  "{\"a\":0x1}",
                                  "{\"a\":1 2}",
                                  "{\"a\":null}",
                                  "{\"a\":[1]}",
                                  "{\"a\":{}}",
                                  "{\"a\":1,\"a\":2}",
                                  "{\"a\":\"b}",
                                  "{\"a\":\"\\u0041\"}",
                                  "{a:1}"}) {
        CAPTURE(bad);
        problem.clear();
        CHECK_FALSE(flat_json::read(bad, problem));
        CHECK_FALSE(problem.empty());
    }
    CHECK(flat_json::read("{}", problem));
}

TEST_CASE("what is written is read again") {
    tuning_file made;
    made.from = {"a \"machine\"", "an MPI", "2026-11-24", 2, 8, 4, 4};
    const tuning_file::row row{verb::all_reduce, 65536, true, plan_of<topo::k_ary_rabenseifner<4, 256>>,
                               1.25e-5,          0.5,   7,    true};
    const auto again =
        read(made.header_line() + '\n' + tuning_file::line_of(row) + '\n' + tuning_file::last_line());
    CHECK(again.from == made.from);
    REQUIRE(again.rows.size() == 1);
    CHECK(again.rows[0].what == row.what);
    CHECK(again.rows[0].bytes == row.bytes);
    CHECK(again.rows[0].chosen == row.chosen);
    CHECK(again.rows[0].seconds == doctest::Approx(row.seconds));
    CHECK(again.rows[0].spread == doctest::Approx(row.spread));
    CHECK(again.rows[0].calls == 7);
    CHECK(again.rows[0].is_built_in);
    CHECK(again.is_complete);
}

TEST_CASE("what is no tuning file, or of another version, is refused with its place") {
    const auto refuses = [](const std::string& text, const char* why) {
        topo_test::check_fails<topo::input_error>([&] { read(text); }, {"tuning file", "file", why});
    };
    refuses("", "it is empty");
    refuses("\n \n", "it is empty");
    refuses("format 1\n", "it is no JSON object");
    refuses("{}\n", "'topomp_tuning'");
    refuses(R"({"topomp_tuning":2,"machine":"m"})", "its version is unknown");
    refuses(R"({"topomp_tuning":1})", "'machine'");
    refuses(header.substr(0, 40), "it is cut off");
    std::string other = header;
    other.replace(other.find("\"nodes\":2"), 9, "\"nodes\":0");
    refuses(other, "'nodes'");
}

TEST_CASE("lines that cannot be used are left out, and one sentence says how many and why") {
    const std::string good = line("broadcast", 8, "binomial", "1e-5");
    CHECK(skipped_of(header + good, 1).empty());
    CHECK(skipped_of(header + good + line("broadcast", 8, "nonsense", "1e-5"), 1)
              .find("1 line is not used, line 3: ") == 0);
    CHECK(skipped_of(header + line("broadcast", 8, "nonsense", "1e-5"), 0).find("there is no 'nonsense'") !=
          std::string::npos);
    CHECK(skipped_of(header + line("shout", 8, "binomial", "1e-5") + good, 1)
              .find("there is no verb 'shout'") != std::string::npos);
    CHECK(skipped_of(header + line("all_to_all", 8, "binomial", "1e-5"), 0)
              .find("no algorithm for all_to_all") != std::string::npos);
    for (const char* const time : {"0", "-1", "\"fast\"", "true"})
        CHECK(skipped_of(header + line("broadcast", 8, "binomial", time), 0).find("'seconds'") !=
              std::string::npos);
    CHECK(skipped_of(header + line("broadcast", 8, "binomial", "nan"), 0).find("'seconds' is neither") !=
          std::string::npos);
    // Cut off at any place behind the first line: what is whole is used.
    const std::string all = header + good + line("broadcast", 64, "binomial", "2e-5");
    for (std::size_t length = header.size(); length < all.size(); ++length) {
        std::string skipped;
        const auto cut = tuning_file::read("file", all.substr(0, length), skipped);
        const bool has_first = length >= header.size() + good.size() - 1;
        const bool has_second = length >= all.size() - 1;
        CHECK(cut.rows.size() == (has_first ? 1U : 0U) + (has_second ? 1U : 0U));
        CHECK_FALSE(cut.is_complete);
    }
    // Measured once more.
    const auto twice = read(header + good + line("broadcast", 8, "binomial", "3e-5"));
    REQUIRE(twice.rows.size() == 1);
    CHECK(twice.rows[0].seconds == doctest::Approx(3e-5));
}

TEST_CASE("times between two lengths lie on a line in the logarithms; far outside there are none") {
    const auto file =
        read(header + line("broadcast", 64, "binomial", "1e-5") + line("broadcast", 64, "chain", "2e-5") +
             line("broadcast", 1024, "binomial", "1.6e-4") + line("broadcast", 1024, "flat", "1e-6"));
    const auto times = file.times_of(key(verb::broadcast, 256)); // only one was measured at both
    REQUIRE(times.size() == 1);
    CHECK(*times[0].what == plan_of<topo::binomial>);
    CHECK(times[0].seconds == doctest::Approx(4e-5));
    CHECK(file.times_of(key(verb::broadcast, 64)).size() == 2);
    CHECK(file.times_of(key(verb::broadcast, 1024)).size() == 2);
    CHECK(file.times_of(key(verb::broadcast, 2048)).size() == 2);
    CHECK(file.times_of(key(verb::broadcast, 2049)).empty());
    CHECK(file.times_of(key(verb::broadcast, 31)).empty());
    CHECK(file.times_of(key(verb::reduce, 64)).empty());
    call_key other = key(verb::broadcast, 64);
    other.node_count = 3;
    CHECK(file.times_of(other).empty());
}

TEST_CASE("the fastest that was measured is decided for, where it can serve the call") {
    cost_sources known;
    known.file = std::make_shared<const tuning_file>(
        read(header + line("reduce", 64, "binomial", "3e-5") + line("reduce", 64, "binary", "2e-5") +
             line("reduce", 64, "k_ary_rabenseifner<4, 256>", "1e-5") + line("reduce", 64, "flat", "9e-5")));
    call_key now = key(verb::reduce, 64);
    CHECK(topo::detail::decide(now, known) == plan_of<topo::k_ary_rabenseifner<4, 256>>);
    CHECK(topo::detail::rank_plans(now, known).front().from == cost_origin::tuning_file);
    now.bytes = 1 << 20; // not measured
    CHECK(topo::detail::decide(now, known) == topo::detail::decide(now));
    // Times of commutative operations say nothing of others.
    now = key(verb::reduce, 64);
    now.is_commutative = false;
    CHECK(topo::detail::decide(now, known).tree.keeps_order());
}

TEST_CASE("of a form that does not wait the fastest plan counts that can serve it") {
    cost_sources known;
    known.file = std::make_shared<const tuning_file>(
        read(header + line("all_reduce", 64, "hierarchical<otherwise<shared>>", "1e-6") +
             line("all_reduce", 64, "k_ary_rabenseifner<4, 256>", "2e-6") +
             line("all_reduce", 64, "two_levels<binary, chain>", "3e-6") +
             line("all_reduce", 64, "chain", "4e-6") + line("all_reduce", 64, "flat", "9e-6")));
    call_key now = key(verb::all_reduce, 64);
    const auto decided = [&](call_form form) {
        now.form = form;
        return topo::detail::decide(now, known);
    };
    const plan posted = plan_of<topo::hierarchical<topo::otherwise<topo::shared>>>;
    CHECK(decided(call_form::blocking) == posted);
    CHECK(decided(call_form::prepared_with_posts) == posted);
    CHECK(decided(call_form::prepared) == plan_of<topo::k_ary_rabenseifner<4, 256>>);
    CHECK(decided(call_form::at_once_with_places) == plan_of<topo::k_ary_rabenseifner<4, 256>>);
    CHECK(decided(call_form::at_once) == plan_of<topo::chain>);
    now.bytes = 1 << 20; // not measured
    for (const auto form : {call_form::prepared_with_posts, call_form::prepared,
                            call_form::at_once_with_places, call_form::at_once}) {
        now.form = form;
        CHECK(topo::detail::decide(now, known) == topo::detail::decide(now));
    }
}

TEST_CASE("a tuning file and measured messages count together, each for what it has") {
    std::string complaint;
    cost_sources known;
    known.file = std::make_shared<const tuning_file>(
        read(header + line("reduce", 64, "binary", "2e-5") + line("reduce", 64, "flat", "9e-5")));
    known.replace_by(topo::detail::sources_in(
        "file", "format 1\nlevel 2 System - Cluster\nlatency 1e-6\nmessage 0 1e-7 1e-7 1e-7 1e-6\n",
        complaint));
    REQUIRE(known.file != nullptr);
    REQUIRE(known.measured != nullptr);
    call_key now = key(verb::reduce, 64);
    CHECK(topo::detail::rank_plans(now, known).front().from == cost_origin::tuning_file);
    now.bytes = 1 << 20;
    CHECK(topo::detail::rank_plans(now, known).front().from == cost_origin::measured_parameters);
    now.form = call_form::at_once;
    CHECK(topo::detail::rank_plans(now, known).front().from == cost_origin::measured_parameters);
    // Of the same kind the last counts.
    cost_sources later;
    later.file = std::make_shared<const tuning_file>(read(header + line("reduce", 64, "chain", "1e-5")));
    known.replace_by(later);
    CHECK(known.file == later.file);
    CHECK(known.measured != nullptr);
}

TEST_CASE("names of sources are separated by commas, but a file may have one in its name") {
    using topo::detail::names_in;
    CHECK(names_in("").empty());
    CHECK(names_in("a.tuning") == std::vector<std::string>{"a.tuning"});
    CHECK(names_in("a.tuning,b.parameters") == std::vector<std::string>{"a.tuning", "b.parameters"});
    CHECK(names_in(",a,,b,") == std::vector<std::string>{"a", "b"});
    const auto name =
        (std::filesystem::temp_directory_path() / ("topomp_a,b." + std::to_string(getpid()))).string();
    std::ofstream{name} << "x";
    CHECK(names_in(name) == std::vector<std::string>{name});
    std::filesystem::remove(name);
    CHECK(names_in(name).size() == 2);
}

TEST_CASE("each source that cannot be used has a complaint, and the others count") {
    std::vector<topo::detail::source_complaint> complaints;
    const auto found = topo::detail::read_sources_here("/nowhere/a,ethernet_10,/nowhere/b", complaints);
    REQUIRE(found.network != nullptr);
    CHECK(found.network->name == "ethernet_10");
    REQUIRE(complaints.size() == 2);
    CHECK(complaints.front().text.find("/nowhere/a") != std::string::npos);
    CHECK(complaints.back().text.find("/nowhere/b") != std::string::npos);
    CHECK_FALSE(complaints.front().is_used);
    CHECK(topo::detail::read_sources_here("", complaints).is_empty());
    CHECK(complaints.empty());
}

TEST_CASE(
    "a file of another machine or MPI gives a line and no costs; messages that were measured give costs") {
    std::string complaint;
    CHECK(topo::detail::sources_in("file", header, complaint).is_empty());
    CHECK(complaint.find("it is of another machine") != std::string::npos);
    CHECK(topo::detail::sources_in("file", "rubbish\n", complaint).is_empty());
    CHECK(complaint.find("file, line 1") != std::string::npos);
    const auto found = topo::detail::sources_in(
        "file", "format 1\nlevel 2 System - Cluster\nlatency 1e-6\nmessage 0 1e-7 1e-7 1e-7 1e-6\n",
        complaint);
    CHECK(complaint.empty());
    REQUIRE(found.measured != nullptr);
    CHECK(found.measured->were_measured(true));
    CHECK_FALSE(found.measured->were_measured(false));
}

} // namespace tuning_file_tests
