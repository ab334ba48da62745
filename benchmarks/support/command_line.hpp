// SPDX-License-Identifier: BSL-1.0
/// @file
/// Options of a program, which CLI11 reads: out of the programs' sight, since its headers compile for
/// seconds.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace CLI {
class Option;
}

namespace topo_bench {

/// What was asked for cannot be done, on all ranks alike.
struct refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class command_line {
public:
    /// An option that has been added.
    class option {
    public:
        /// Refuses other numbers, of the option's type.
        const option& range(int least, int most) const;
        const option& range(double least, double most) const;
        const option& non_negative() const;
        /// Refuses other words.
        const option& one_of(std::initializer_list<const char*> words) const;
        const option& needs(const option& other) const;
        const option& excludes(const option& other) const;

    private:
        friend class command_line;
        explicit option(CLI::Option* of) : option_(of) {}
        CLI::Option* option_;
    };

    command_line(const std::string& program, const std::string& description);
    ~command_line();

    /// Reads into `value`, and shows in the help what that is now.
    /// @tparam T int, double, std::uint64_t or std::string
    template <class T>
    option add(const std::string& name, T& value, const std::string& description);
    /// The same where nothing to show is given now. @tparam T besides an std::optional of these, or
    /// std::vector<int>, of numbers between commas
    template <class T>
    option add_unset(const std::string& name, T& value, const std::string& description);
    void add_flag(const std::string& name, bool& value, const std::string& description);
    /// Calls `use` with the text of the option. What it throws as std::runtime_error is refused.
    void add_call(const std::string& name, const std::function<void(const std::string&)>& use,
                  const std::string& description);

    /// @return the help, if that was asked for @throws refused
    std::optional<std::string> read(int argc, char** argv);

private:
    struct data;
    std::unique_ptr<data> data_;
};

} // namespace topo_bench
