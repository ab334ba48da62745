// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include "output.hpp"
#include "tune.hpp"
#include "tune_export.hpp"
#include <topomp/core/error.hpp>

namespace topo::tool {

std::unique_ptr<subcommand> make_tune();

namespace {

class tune_command final : public subcommand {
public:
    subcommand_words words() const override {
        return {
            "tune",
            "measures which plan is the fastest for each verb and length, on the ranks of this run, into a "
            "file for TOPOMP_TUNING",
            "# in the job whose machine it is for; a run that was stopped goes on\n"
            "mpirun -n 8 topomp tune --minutes 10 --output here.tuning\n"
            "# what was found\n"
            "topomp tune --show here.tuning\n"
            "# the same for programs without topomp: the fastest of the MPI's own algorithms\n"
            "topomp tune --export ompi here.tuning --output rules.conf\n"
            "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename rules.conf "
            "-n 8 ./program\n"};
    }

    void declare(CLI::App& tune) override {
        auto* const show =
            tune.add_flag("--show", is_shown_, "print a tuning file as a table, and draw what it gains");
        auto* const export_to =
            tune.add_option("--export", format_, "print a tuning file as rules of Open MPI or MPICH")
                ->check(CLI::IsMember({"ompi", "mpich"}));
        show->excludes(export_to);
        tune.add_option("file,--file", file_, "the tuning file to show or to export; --file may be left out")
            ->type_name(file_type);
        tune.add_option("--output", output_, "the file to write; topomp.tuning, or standard output")
            ->type_name(file_type);
        tune.add_option("--minutes", request_.minutes, "how long it may measure")
            ->check(CLI::Range(0.0, 1e5))
            ->capture_default_str();
        tune.add_option("--verb", request_.verbs,
                        "functions, such as broadcast,all_reduce; if not given, all")
            ->delimiter(',');
        tune.add_option("--bytes", request_.bytes,
                        "of a message, or a block; of reduce_scatter of all blocks; if not given, 8 to 2M")
            ->delimiter(',');
        tune.add_flag("--ordered", request_.is_ordered, "reductions by an operation that does not commute");
        tune.add_flag("--again", request_.again, "measure also what the file has");
        tune.add_option("--machine", request_.machine,
                        "levels of a made-up machine, a rank a core, instead of those of this run");
    }

    int run(const process& here) override {
        if (is_shown_ || format_) {
            if (file_.empty())
                throw argument_error("topomp tune", is_shown_ ? "--show" : "--export", "it wants a file");
            if (here.is_speaker) write();
            return 0;
        }
        if (!file_.empty())
            throw argument_error("topomp tune", file_,
                                 "a file without --show or --export; to write it, --output");
        if (!here.is_in_mpi)
            throw argument_error("topomp tune", "one process",
                                 "it measures among the ranks of a run: mpirun -n 4 topomp tune");
        if (output_) request_.output = *output_;
        tune_running(request_);
        return 0;
    }

private:
    void write() const {
        const auto file = read_tuning(file_);
        const std::string text = is_shown_            ? tuning_table(file)
                                 : *format_ == "ompi" ? ompi_rules(file)
                                                      : mpich_rules(file);
        write_output("topomp tune", output_, text);
    }

    tune_request request_;
    std::optional<std::string> format_, output_;
    std::string file_;
    bool is_shown_ = false;
};

} // namespace

std::unique_ptr<subcommand> make_tune() { return std::make_unique<tune_command>(); }

} // namespace topo::tool
