// SPDX-License-Identifier: BSL-1.0
/// @file
/// Calls with wrong arguments, on one rank or on all, none of which may leave a rank waiting.
#pragma once

#include "program_check.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <typeinfo>
#include <unistd.h>
#include <utility>
#include <vector>

namespace topo_test {

/// Ends the program if what it was made for is not done in time: a rank that waits for ever is a failure that
/// is seen at once, with its name.
class time_limit {
public:
    explicit time_limit(const std::string& name) {
        std::snprintf(text(), most, "wrong: %.150s: a rank waits for ever\n", name.c_str());
        std::signal(SIGALRM, [](int) {
            static_cast<void>(!write(STDERR_FILENO, text(), std::string_view{text()}.size()));
            _exit(1);
        });
        alarm(60);
    }
    time_limit(const time_limit&) = delete;
    time_limit& operator=(const time_limit&) = delete;
    ~time_limit() { alarm(0); }

private:
    static constexpr std::size_t most = 200;
    static char* text() {
        static char kept[most];
        return kept;
    }
};

/// Who can tell that a call is wrong.
enum class seen_by {
    every_rank, ///< each rank that makes the call, by itself
    one         ///< one rank, if the call is made on that alone
};

/// One call as it should be and with one thing wrong.
struct fault {
    using call = std::function<void(int odd)>;

    std::string name;
    call usual, wrong; ///< given the rank that makes the wrong call
    std::string words; ///< of the message
    seen_by whom = seen_by::every_rank;
    const std::type_info* type = &typeid(topo::argument_error); ///< on the ranks that are not wrong
    const std::type_info* own_type = type;
    static constexpr int several = -1;
    int found_after = 0; ///< the rank that finds it is so many behind the one that makes the wrong call
};

/// Checks that `call` throws exactly this type, with all of these words.
template <class Call>
void check_throws_all(Call&& call, const std::type_info& type, std::initializer_list<std::string_view> words,
                      const std::string& what) {
    try {
        call();
        std::fprintf(stderr, "no exception\n");
    } catch (const std::exception& problem) {
        bool is_right = typeid(problem) == type;
        for (const std::string_view part : words)
            is_right = is_right && std::string_view{problem.what()}.find(part) != std::string_view::npos;
        if (is_right) return;
        std::fprintf(stderr, "%s: %s\n", typeid(problem).name(), problem.what());
    }
    check(false, what);
}

/// One rank makes the wrong call: it throws what it finds, and all others that it did.
inline void check_one_wrong(const topo::hierarchy& levels, const fault& each, int odd) {
    const std::string name = each.name + ", wrong on rank " + std::to_string(odd);
    const time_limit limit{name};
    const int rank = levels.whole().rank(), finder = (odd + each.found_after) % levels.whole().size();
    const auto call = [&] { rank == odd ? each.wrong(odd) : each.usual(odd); };
    if (rank == finder || each.found_after == fault::several)
        check_throws_all(call, *each.own_type, {each.words}, name);
    else
        check_throws_all(call, *each.type, {each.words, "(on rank " + std::to_string(finder) + ')'}, name);
    MPI_Barrier(levels.whole()); // a rank that did not throw is in no other call then
}

/// All ranks make the wrong call.
inline void check_all_wrong(const topo::hierarchy& levels, const fault& each) {
    if (each.whom != seen_by::every_rank) return;
    const std::string name = each.name + ", wrong on all ranks";
    const time_limit limit{name};
    check_throws_all([&] { each.wrong(levels.whole().rank()); }, *each.own_type, {each.words}, name);
    MPI_Barrier(levels.whole());
}

} // namespace topo_test
