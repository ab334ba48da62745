// SPDX-License-Identifier: BSL-1.0
// Slurm's hostlist expressions, and what is said about broken ones.
#include <topomp/hardware/hostlist.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

namespace hostlist_tests {

namespace {

using names = std::vector<std::string>;

/// What `expand_hostlist` says about a text, which must be an `input_error`.
std::string complaint(const std::string& text) {
    try {
        topo::expand_hostlist(text);
    } catch (const topo::input_error& error) {
        return error.what();
    }
    return "no input_error";
}

std::string expected_complaint(const std::string& text, int column, const std::string& problem) {
    return "topo::expand_hostlist: \"" + text + "\", column " + std::to_string(column) + ": " + problem;
}

} // namespace

TEST_CASE("hostlist: plain names stand for themselves") {
    CHECK(topo::expand_hostlist("tux") == names{"tux"});
    CHECK(topo::expand_hostlist("n-1_a.example.com") == names{"n-1_a.example.com"});
    CHECK(topo::expand_hostlist("b,a,c") == names{"b", "a", "c"});
    CHECK(topo::expand_hostlist("a,b,a") == names{"a", "b", "a"});
}

TEST_CASE("hostlist: names in short") {
    using topo::detail::compress_hostlist;
    CHECK(compress_hostlist({}).empty());
    CHECK(compress_hostlist({"spine"}) == "spine");
    CHECK(compress_hostlist({"s0"}) == "s0");
    CHECK(compress_hostlist({"s0", "s1"}) == "s[0-1]");
    CHECK(compress_hostlist({"s0", "s1", "s3", "s5", "s6"}) == "s[0-1,3,5-6]");
    CHECK(compress_hostlist({"s8", "s9", "s10"}) == "s[8-9],s10");
    CHECK(compress_hostlist({"s08", "s09", "s10"}) == "s[08-10]");
    CHECK(compress_hostlist({"a", "b", "s1", "t1"}) == "a,b,s1,t1");
    CHECK(compress_hostlist({"1", "2"}) == "[1-2]");
    // Whatever it makes of names stands for these names.
    for (const names& each :
         {names{"s0", "s1"}, names{"s8", "s9", "s10", "s12"}, names{"a1b7", "a1b8", "a", "a2"},
          names{"x000000000000000000001", "x000000000000000000002"}})
        CHECK(topo::expand_hostlist(compress_hostlist(each)) == each);
}

TEST_CASE("hostlist: ranges, lists and padding") {
    CHECK(topo::expand_hostlist("tux[0-3,5,07-09]") ==
          names{"tux0", "tux1", "tux2", "tux3", "tux5", "tux07", "tux08", "tux09"});
    CHECK(topo::expand_hostlist("n[7-11]") == names{"n7", "n8", "n9", "n10", "n11"});
    CHECK(topo::expand_hostlist("n[07-11]") == names{"n07", "n08", "n09", "n10", "n11"});
    CHECK(topo::expand_hostlist("n[098-101]") == names{"n098", "n099", "n100", "n101"});
    CHECK(topo::expand_hostlist("n[0-0]") == names{"n0"});
    CHECK(topo::expand_hostlist("n[000]") == names{"n000"});
    CHECK(topo::expand_hostlist("n[00-1]") == names{"n00", "n01"});
    CHECK(topo::expand_hostlist("n[3,1,2]") == names{"n3", "n1", "n2"});
    CHECK(topo::expand_hostlist("[1-2]") == names{"1", "2"});
}

TEST_CASE("hostlist: several brackets, the last runs fastest") {
    CHECK(topo::expand_hostlist("rack[0-1]n[0-2]") ==
          names{"rack0n0", "rack0n1", "rack0n2", "rack1n0", "rack1n1", "rack1n2"});
    CHECK(topo::expand_hostlist("a[0-1][8-9]") == names{"a08", "a09", "a18", "a19"});
    CHECK(topo::expand_hostlist("n[1-2].site,login,r[0]x[01-02]y") ==
          names{"n1.site", "n2.site", "login", "r0x01y", "r0x02y"});
}

TEST_CASE("hostlist: agrees with nested loops") {
    for (int first = 0; first < 12; ++first)
        for (int last = first; last < 110; last += 7) {
            names expected;
            for (int outer = 1; outer <= 2; ++outer)
                for (int number = first; number <= last; ++number) {
                    char name[32];
                    std::snprintf(name, sizeof name, "r%dn%03d", outer, number);
                    expected.emplace_back(name);
                }
            char text[64];
            std::snprintf(text, sizeof text, "r[1-2]n[%03d-%03d]", first, last);
            CHECK(topo::expand_hostlist(text) == expected);
        }
}

TEST_CASE("hostlist: broken text is named with its column") {
    CHECK(complaint("") == expected_complaint("", 1, "a name is missing"));
    CHECK(complaint(",a") == expected_complaint(",a", 1, "a name is missing"));
    CHECK(complaint("a,,b") == expected_complaint("a,,b", 3, "a name is missing"));
    CHECK(complaint("a,") == expected_complaint("a,", 3, "a name is missing"));
    CHECK(complaint("tux[0-3") == expected_complaint("tux[0-3", 4, "'[' is never closed"));
    CHECK(complaint("tux[") == expected_complaint("tux[", 4, "'[' is never closed"));
    CHECK(complaint("tux[3-") == expected_complaint("tux[3-", 4, "'[' is never closed"));
    CHECK(complaint("tux[]") == expected_complaint("tux[]", 5, "expected a number"));
    CHECK(complaint("tux[0,]") == expected_complaint("tux[0,]", 7, "expected a number"));
    CHECK(complaint("tux[a]") == expected_complaint("tux[a]", 5, "expected a number"));
    CHECK(complaint("tux[0x]") == expected_complaint("tux[0x]", 6, "expected ',', '-' or ']'"));
    CHECK(complaint("tux[1-2-3]") == expected_complaint("tux[1-2-3]", 8, "expected ',', '-' or ']'"));
    CHECK(complaint("tux[-1]") == expected_complaint("tux[-1]", 5, "expected a number"));
    CHECK(complaint("tux[0[1]]") == expected_complaint("tux[0[1]]", 6, "expected ',', '-' or ']'"));
    CHECK(complaint("tux]") == expected_complaint("tux]", 4, "']' without '['"));
    CHECK(complaint("]") == expected_complaint("]", 1, "']' without '['"));
    CHECK(complaint("t[0]]") == expected_complaint("t[0]]", 5, "']' without '['"));
    CHECK(complaint("tux[3-1]") == expected_complaint("tux[3-1]", 5, "the range 3-1 runs backwards"));
    CHECK(complaint("t[9-010]") ==
          expected_complaint("t[9-010]", 3, "the ends of the range 9-010 are padded to different widths"));
    CHECK(complaint("a b") == expected_complaint("a b", 2, "a blank inside a list of names"));
    CHECK(complaint("a, b") == expected_complaint("a, b", 3, "a blank inside a list of names"));
    CHECK(complaint("a\x01") == expected_complaint("a\x01", 2, "a control character"));
    CHECK(complaint("block{b1}") == expected_complaint("block{b1}", 6, "unexpected '{'"));
    CHECK(complaint("n[0-1]LinkSpeed=1") == expected_complaint("n[0-1]LinkSpeed=1", 16, "unexpected '='"));
}

TEST_CASE("hostlist: absurd sizes are refused before they cost memory") {
    const std::string too_many = "more than 1048576 names";
    CHECK(topo::expand_hostlist("n[0-1048575]").size() == 1048576u);
    CHECK(complaint("n[0-1048576]") == expected_complaint("n[0-1048576]", 1, too_many));
    CHECK(complaint("n[0-1048575],m") == expected_complaint("n[0-1048575],m", 14, too_many));
    CHECK(complaint("n[0-999999999999999999]") == expected_complaint("n[0-999999999999999999]", 1, too_many));
    CHECK(complaint("a[0-9999][0-9999][0-9999]") ==
          expected_complaint("a[0-9999][0-9999][0-9999]", 1, too_many));
    CHECK(complaint("n[0-1048575,0-1048575]") == expected_complaint("n[0-1048575,0-1048575]", 1, too_many));
    CHECK(complaint("n[1000000000000000000]") ==
          expected_complaint("n[1000000000000000000]", 3, "a number of more than 18 digits"));
    const std::string longest(255, 'x');
    CHECK(topo::expand_hostlist(longest) == names{longest});
    CHECK(complaint(longest + "x") == expected_complaint(longest + "x", 1, "a name of more than 255 bytes"));
    CHECK(complaint(longest + "[0]") ==
          expected_complaint(longest + "[0]", 1, "a name of more than 255 bytes"));
}

} // namespace hostlist_tests
