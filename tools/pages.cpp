// SPDX-License-Identifier: BSL-1.0
#include "pages.hpp"

#include "help.hpp"
#include "shell.hpp"
#include <topomp/version.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

namespace topo::tool {

namespace {

/// What every kind of page says of a completion.
constexpr const char* origin_comment = "# Made from topomp's options by 'topomp describe'.\n";

/// What the command is called: in packages for one MPI, with that.
constexpr const char* names_of_command = " topomp topomp.openmpi topomp.mpich";

std::string roff(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (c == '\\')
            result += "\\e";
        else if (c == '-' || c == '\'')
            result += c == '-' ? "\\-" : "\\(aq";
        else
            result += c;
    return result.starts_with('.') ? "\\&" + result : result;
}

std::string page_name(const CLI::App& command) {
    return command.get_parent() == nullptr ? command.get_name() : "topomp-" + command.get_name();
}

void add_options(std::ostream& out, const CLI::App& command) {
    out << ".SH OPTIONS\n";
    for (const option_text& option : options_of(command)) {
        out << ".TP\n";
        for (const auto& name : option.names)
            out << (name == option.names.front() ? "" : ", ") << "\\fB" << roff(name) << "\\fR";
        if (!option.value.empty()) out << " \\fI" << roff(option.value) << "\\fR";
        out << '\n' << roff(option.about) << '\n';
    }
}

void add_examples(std::ostream& out, const CLI::App& command) {
    const auto all = examples_of(command);
    if (all.empty()) return;
    out << ".SH EXAMPLES\n";
    for (const auto& each : all)
        out << ".TP\n" << roff(each.about) << "\n.nf\n" << roff(each.command) << "\n.fi\n";
}

std::string in_a_row(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

/// With what stands for itself in the descriptions of `_arguments`.
std::string zsh_text(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (std::string_view{"[]:\\"}.find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

std::string zsh_arguments(const CLI::App& command) {
    std::string text;
    for (const option_text& option : options_of(command))
        for (const auto& name : option.names) {
            std::string word = name + '[' + zsh_text(option.about) + ']';
            if (!option.choices.empty())
                word += ":value:(" + in_a_row(option.choices) + ')';
            else if (option.takes_file)
                word += ":file:_files";
            else if (!option.value.empty())
                word += ":value: ";
            text += " \\\n                " + shell_quoted(word);
        }
    if (command.get_prefix_command()) text += " \\\n                '*::command:_normal'";
    return text;
}

} // namespace

std::string man_page(const CLI::App& command) {
    const bool is_top = command.get_parent() == nullptr;
    const std::string name = page_name(command);
    std::string upper = name;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
    std::ostringstream out;
    out << ".\\\" Made from topomp's options by 'topomp describe'.\n"
        << ".TH " << roff(upper) << " 1 \"\" \"topomp " << version << "\" \"User Commands\"\n"
        << ".SH NAME\n"
        << roff(name) << " \\- " << roff(command.get_description()) << "\n.SH SYNOPSIS\n\\fB"
        << (is_top ? "topomp\\fR \\fICOMMAND\\fR" : "topomp " + roff(command.get_name()) + "\\fR")
        << " [\\fIOPTIONS\\fR]" << (command.get_prefix_command() ? " \\-\\- \\fICOMMAND\\fR" : "") << '\n';
    if (is_top) {
        out << ".SH COMMANDS\n";
        for (const CLI::App* each : visible_subcommands(command))
            out << ".TP\n\\fB" << roff(each->get_name()) << "\\fR\n" << roff(each->get_description()) << '\n';
    }
    add_options(out, command);
    add_examples(out, command);
    out << ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf it is set, nothing is coloured; colours are for "
           "terminals only.\n"
        << ".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\n\\fBtopomp doctor\\fR has found something that is "
           "wrong.\n.TP\n2\n"
           "Wrong usage or input; one line on standard error names it.\n"
        << ".SH SEE ALSO\n";
    std::string others = is_top ? "" : "\\fBtopomp\\fR(1)";
    const CLI::App& top = is_top ? command : *command.get_parent();
    for (const CLI::App* each : visible_subcommands(top))
        if (each != &command)
            others += (others.empty() ? "" : ", ") + ("\\fBtopomp\\-" + roff(each->get_name()) + "\\fR(1)");
    out << others << '\n';
    return out.str();
}

std::string bash_completion(const CLI::App& topomp) {
    std::ostringstream values, words;
    std::vector<std::string> names;
    const auto add_words = [&](const std::string& pattern, const CLI::App& command,
                               std::vector<std::string> all) {
        for (const option_text& option : options_of(command))
            all.insert(all.end(), option.names.begin(), option.names.end());
        words << "        " << pattern << ") words=" << shell_quoted(in_a_row(all)) << " ;;\n";
    };
    for (const CLI::App* each : visible_subcommands(topomp)) {
        names.push_back(each->get_name());
        add_words(each->get_name(), *each, {});
        for (const option_text& option : options_of(*each)) {
            if (option.value.empty()) continue;
            for (const auto& name : option.names) {
                values << "        " << each->get_name() << ':' << name << ") ";
                if (!option.choices.empty())
                    values << "words=" << shell_quoted(in_a_row(option.choices)) << " ;;\n";
                else
                    values << (option.takes_file ? "kind=file" : "return") << " ;;\n";
            }
        }
    }
    add_words("''", topomp, names);
    std::ostringstream out;
    out << origin_comment << "# shellcheck shell=bash disable=SC2207 # words without blanks\n"
        << "_topomp() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' kind='' "
           "words='' i\n"
           "    COMPREPLY=()\n"
           "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
           "        [[ ${COMP_WORDS[i]} != -- ]] || kind=command\n"
           "        [[ -n $command || ${COMP_WORDS[i]} == -* ]] || command=${COMP_WORDS[i]}\n"
           "    done\n"
           "    [[ $before == -- || $kind != command ]] || kind=file\n"
           "    case $kind$command:$before in\n"
        << values.str()
        << "    esac\n"
           "    [[ -n $kind || -n $words ]] || case $command in\n"
        << words.str()
        << "    esac\n"
           "    case $kind in\n"
           "        command) COMPREPLY=($(compgen -c -- \"$word\")) ;;\n"
           "        file) compopt -o filenames 2>/dev/null || true; COMPREPLY=($(compgen -f -- \"$word\")) "
           ";;\n"
           "        *) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -F _topomp"
        << names_of_command << '\n';
    return out.str();
}

std::string zsh_completion(const CLI::App& topomp) {
    std::ostringstream out;
    out << "#compdef" << names_of_command << '\n'
        << origin_comment
        << "_topomp() {\n    local -a commands\n    if (( CURRENT == 2 )); then\n        commands=(\n";
    for (const CLI::App* each : visible_subcommands(topomp))
        out << "            " << shell_quoted(each->get_name() + ':' + zsh_text(each->get_description()))
            << '\n';
    out << "        )\n        _describe -t commands 'topomp command' commands\n        _arguments"
        << zsh_arguments(topomp) << "\n        return\n    fi\n"
        << "    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n";
    for (const CLI::App* each : visible_subcommands(topomp))
        out << "        " << each->get_name() << ")\n            _arguments" << zsh_arguments(*each)
            << "\n            ;;\n";
    out << "    esac\n}\n_topomp \"$@\"\n";
    return out.str();
}

} // namespace topo::tool
