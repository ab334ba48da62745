// SPDX-License-Identifier: BSL-1.0
// The main of mpi_tests: every rank runs the same test cases; only failures are shown, with the rank before
// each line.
#define DOCTEST_CONFIG_IMPLEMENT
#include "test_session.hpp"

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

REGISTER_LISTENER("counting", 1, topo_test::counting_listener);

namespace {

/// Passes whole lines on to standard error at once, so that they are seen even if the run never ends.
class prefixing_buffer : public std::streambuf {
public:
    explicit prefixing_buffer(std::string prefix) : prefix_(std::move(prefix)), line_(prefix_) {}
    prefixing_buffer(const prefixing_buffer&) = delete;
    prefixing_buffer& operator=(const prefixing_buffer&) = delete;
    ~prefixing_buffer() override {
        if (line_ != prefix_) overflow('\n');
    }

protected:
    int_type overflow(int_type character) override {
        if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
        line_ += traits_type::to_char_type(character);
        if (line_.back() == '\n') {
            std::cerr << line_ << std::flush;
            line_ = prefix_;
        }
        return character;
    }

private:
    std::string prefix_;
    std::string line_;
};

/// The worst of all ranks' results, on every rank. Own communicator: a test that went wrong cannot get in
/// between.
int agree(MPI_Comm harness, int result) {
    int worst = EXIT_FAILURE;
    MPI_Allreduce(&result, &worst, 1, MPI_INT, MPI_MAX, harness);
    return worst;
}

int run_tests(int argc, char** argv, int rank) {
    prefixing_buffer buffer{"[rank " + std::to_string(rank) + "] "};
    std::ostream output{&buffer};
    doctest::Context context{argc, argv};
    context.setCout(&output);
    context.setOption("minimal", true);
    context.setOption("no-colors", true);
    const int result = context.run();
    if (context.shouldExit()) return result;
    if (topo_test::executed_test_cases == 0) {
        output << "mpi_tests: no test case executed\n";
        return EXIT_FAILURE;
    }
    return result == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv, boost::mpi::threading::multiple};
    MPI_Comm harness = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &harness);
    const boost::mpi::communicator world;

    const int mine = run_tests(argc, argv, world.rank());
    const int worst = agree(harness, mine);
    MPI_Comm_free(&harness);
    if (world.rank() == 0)
        std::cout << "mpi_tests: " << topo_test::executed_test_cases << " test cases on " << world.size()
                  << " ranks: " << (worst == EXIT_SUCCESS ? "passed" : "FAILED") << '\n';
    return worst;
}
