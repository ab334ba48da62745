// SPDX-License-Identifier: BSL-1.0
/// @file
/// Counts the test cases of a run, for the mains of the test programs: a run in which none executed is a
/// failure.
#pragma once

#include <doctest/doctest.h>

namespace topo_test {

/// Test cases that passed the filters in this process; valid after `doctest::Context::run`.
inline unsigned executed_test_cases = 0;

/// Notes the number when the run ends; the other events are nobody's business here.
struct counting_listener : doctest::IReporter {
    explicit counting_listener(const doctest::ContextOptions&) {}
    void test_run_end(const doctest::TestRunStats& stats) override {
        executed_test_cases = stats.numTestCasesPassingFilters;
    }
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

} // namespace topo_test
