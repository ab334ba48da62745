// SPDX-License-Identifier: BSL-1.0
#include "help.hpp"

#include "command.hpp"
#include "terminal.hpp"
#include <topomp/version.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <sstream>
#include <unistd.h>

namespace topo::tool {

namespace {

/// The values in `TEXT:{text,json}`.
std::vector<std::string> choices_in(const std::string& type) {
    const auto open = type.find('{'), close = type.find('}');
    if (open == type.npos || close == type.npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const auto& word : words)
        text.append(text.empty() ? "" : between).append(word);
    return text;
}

std::string value_of(const std::string& type, const std::vector<std::string>& choices) {
    if (!choices.empty()) return joined(choices, "|");
    for (const std::string_view number : {"INT", "UINT", "FLOAT"})
        if (type.starts_with(number)) return "NUMBER";
    return type.starts_with(file_type) ? file_type : "TEXT";
}

/// Help in columns that fit the terminal.
class help_formatter final : public CLI::Formatter {
public:
    help_formatter() { column_width(28); }

    std::string make_description(const CLI::App* app) const override {
        return wrapped(app->get_description(), terminal_width()) + '\n';
    }
    std::string make_usage(const CLI::App* app, std::string) const override {
        const bool is_top = app->get_parent() == nullptr;
        return "\n" + styled("Usage:") +
               (is_top ? " topomp COMMAND [OPTIONS]\n"
                       : " topomp " + app->get_name() + " [OPTIONS]" +
                             (app->get_prefix_command() ? " -- COMMAND" : "") + "\n");
    }
    std::string make_group(std::string group, bool, std::vector<const CLI::Option*> options) const override {
        std::ostringstream out;
        out << '\n' << styled(group + ":") << '\n';
        for (const auto* each : options)
            row(out, names_of(text_of(*each)), text_of(*each).about);
        return out.str();
    }
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode) const override {
        const auto all = visible_subcommands(*app);
        std::ostringstream out;
        if (!all.empty()) out << '\n' << styled("Commands:") << '\n';
        for (const auto* each : all)
            row(out, each->get_name(), each->get_description());
        return out.str();
    }
    std::string make_footer(const CLI::App* app) const override {
        const auto all = examples_of(*app);
        std::ostringstream out;
        if (!all.empty()) out << styled("Examples:") << '\n';
        for (const auto& each : all)
            out << "  " << each.command << "\n      " << each.about << '\n';
        if (app->get_parent() == nullptr) out << "topomp COMMAND --help says more.\n";
        return out.str();
    }

private:
    static std::string styled(const std::string& text) {
        const auto colour = colours_of(STDOUT_FILENO);
        return colour.in(colour.strong, text);
    }
    static std::string names_of(const option_text& text) {
        return joined(text.names, ", ") + (text.value.empty() ? "" : ' ' + text.value);
    }
    void row(std::ostream& out, const std::string& name, const std::string& about) const {
        CLI::detail::format_help(out, name, wrapped(about, terminal_width() - column_width_), column_width_);
    }
};

} // namespace

option_text text_of(const CLI::Option& option) {
    option_text text;
    for (const auto& name : option.get_snames())
        text.names.push_back('-' + name);
    for (const auto& name : option.get_lnames())
        text.names.push_back("--" + name);
    const bool has_value = option.get_expected_max() > 0; // a flag has none
    if (has_value) {
        const std::string type = option.get_type_name();
        text.choices = choices_in(type);
        text.value = value_of(type, text.choices);
        text.takes_file = type.starts_with(file_type);
    }
    text.about = option.get_description();
    if (option.get_required()) text.about += "; it has to be given";
    if (has_value && !option.get_default_str().empty())
        text.about += " (if not given: " + option.get_default_str() + ")";
    for (const CLI::Option* other : option.get_needs())
        text.about += "; with " + other->get_name();
    for (const CLI::Option* other : option.get_excludes())
        text.about += "; not with " + other->get_name();
    return text;
}

std::vector<option_text> options_of(const CLI::App& command) {
    std::vector<option_text> all;
    for (const CLI::Option* each : command.get_options())
        if (each->nonpositional() && !each->get_group().empty()) all.push_back(text_of(*each));
    return all;
}

std::vector<const CLI::App*> visible_subcommands(const CLI::App& command) {
    return command.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

std::vector<example> examples_of(const CLI::App& command) {
    std::vector<example> all;
    std::istringstream lines{command.get_footer()};
    std::string about;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("# "))
            about = line.substr(2);
        else
            all.push_back({about, line});
    return all;
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
    // Letters that are wrong, missing, too many, or two in the wrong order.
    const auto distance = [](std::string_view a, std::string_view b) {
        std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
        for (std::size_t i = 0; i <= a.size(); ++i)
            for (std::size_t j = 0; j <= b.size(); ++j) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                d[i][j] =
                    std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                    d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        return d[a.size()][b.size()];
    };
    std::string found;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const auto& name : names) {
        const std::size_t now = name.starts_with(word) && word.size() > 2 ? 1 : distance(word, name);
        if (now < least) {
            least = now;
            found = name;
        }
    }
    return found;
}

std::string suggestion(const CLI::App& topomp, const std::vector<std::string>& unexpected) {
    if (unexpected.empty()) return {};
    const std::string word = unexpected.front().substr(0, unexpected.front().find('='));
    const auto chosen = topomp.get_subcommands();
    std::vector<std::string> names;
    if (chosen.empty() && !word.starts_with("-"))
        for (const CLI::App* each : visible_subcommands(topomp))
            names.push_back(each->get_name());
    else
        for (const auto& option : options_of(chosen.empty() ? topomp : *chosen.front()))
            names.insert(names.end(), option.names.begin(), option.names.end());
    const std::string found = nearest(word, names);
    return found.empty() ? "" : "; did you mean '" + found + "'?";
}

std::unique_ptr<CLI::App> make_command_line(const std::vector<std::unique_ptr<subcommand>>& all) {
    auto topomp = std::make_unique<CLI::App>(
        "topomp: the hardware that an MPI program runs on, as communicators", "topomp");
    topomp->formatter(std::make_shared<help_formatter>());
    topomp->set_version_flag("--version", std::string{version});
    for (const auto& each : all) {
        const auto words = each->words();
        CLI::App* options = topomp->add_subcommand(words.name, words.about);
        options->footer(words.examples);
        each->declare(*options);
    }
    return topomp;
}

} // namespace topo::tool
