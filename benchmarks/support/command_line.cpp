// SPDX-License-Identifier: BSL-1.0
#include "command_line.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

#pragma push_macro("exit") // a macro where SimGrid compiles, and a function of CLI::App
#undef exit
#include <CLI/CLI.hpp>
#pragma pop_macro("exit")

namespace topo_bench {

struct command_line::data : CLI::App {
    using CLI::App::App;
};

using option = command_line::option;

const option& option::range(int least, int most) const {
    option_->check(CLI::Range(least, most));
    return *this;
}
const option& option::range(double least, double most) const {
    option_->check(CLI::Range(least, most));
    return *this;
}
const option& option::non_negative() const {
    option_->check(CLI::NonNegativeNumber);
    return *this;
}
const option& option::one_of(std::initializer_list<const char*> words) const {
    option_->check(CLI::IsMember(words));
    return *this;
}
const option& option::needs(const option& other) const {
    option_->needs(other.option_);
    return *this;
}
const option& option::excludes(const option& other) const {
    option_->excludes(other.option_);
    return *this;
}

command_line::command_line(const std::string& program, const std::string& description)
    : data_(std::make_unique<data>(description, program)) {}
command_line::~command_line() = default;

template <class T>
option command_line::add(const std::string& name, T& value, const std::string& description) {
    return option{data_->add_option(name, value, description)->capture_default_str()};
}
template option command_line::add(const std::string&, int&, const std::string&);
template option command_line::add(const std::string&, double&, const std::string&);
template option command_line::add(const std::string&, std::uint64_t&, const std::string&);
template option command_line::add(const std::string&, std::string&, const std::string&);

template <class T>
option command_line::add_unset(const std::string& name, T& value, const std::string& description) {
    CLI::Option* const added = data_->add_option(name, value, description);
    if constexpr (std::is_same_v<T, std::vector<int>>) added->delimiter(',');
    return option{added};
}
template option command_line::add_unset(const std::string&, int&, const std::string&);
template option command_line::add_unset(const std::string&, std::string&, const std::string&);
template option command_line::add_unset(const std::string&, std::optional<double>&, const std::string&);
template option command_line::add_unset(const std::string&, std::optional<std::string>&, const std::string&);
template option command_line::add_unset(const std::string&, std::vector<int>&, const std::string&);

void command_line::add_flag(const std::string& name, bool& value, const std::string& description) {
    data_->add_flag(name, value, description);
}

void command_line::add_call(const std::string& name, const std::function<void(const std::string&)>& use,
                            const std::string& description) {
    data_->add_option_function<std::string>(
        name,
        [use](const std::string& text) {
            try {
                use(text);
            } catch (const std::runtime_error& problem) {
                throw CLI::ValidationError(problem.what());
            }
        },
        description);
}

std::optional<std::string> command_line::read(int argc, char** argv) {
    try {
        data_->parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return data_->help();
    } catch (const CLI::ParseError& problem) {
        throw refused(problem.what());
    }
    return std::nullopt;
}

} // namespace topo_bench
