// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include "predict.hpp"

namespace topo::tool {

std::unique_ptr<subcommand> make_predict();

namespace {

class predict_command final : public subcommand {
public:
    subcommand_words words() const override {
        return {"predict",
                "how long collectives should take by cost models, with the parameters that were measured",
                "# in microseconds, a column for each algorithm that has a model\n"
                "topomp predict --parameters here.parameters --verb all_reduce --bytes 8,65536\n"};
    }

    void declare(CLI::App& predict) override {
        predict.add_option("--parameters", request_.parameters, "a file that topomp measure wrote")
            ->required()
            ->type_name(file_type);
        predict
            .add_option("--verb", request_.verb,
                        "barrier, broadcast, reduce, all_reduce, all_gather, all_to_all or reduce_scatter")
            ->capture_default_str();
        predict.add_option(
            "--policy", request_.policies,
            "such as binomial, 'per_level<on<machine, linear>, otherwise<chain>>' (one per option), "
            "hierarchical:chain, 'placement_independent<chain>' or ring; automatic, and what it decides "
            "among, by its own models; a few usual ones if none is given");
        predict
            .add_option("--segment", request_.segment,
                        "bytes of the pieces that go down trees, 0 for one piece")
            ->check(CLI::NonNegativeNumber)
            ->capture_default_str();
        predict.add_option("--bytes", request_.bytes, "of a message or block, such as 8,1024,65536")
            ->delimiter(',')
            ->check(CLI::NonNegativeNumber);
    }

    int run(const process& here) override {
        if (here.is_speaker) predict(request_);
        return 0;
    }

private:
    predict_request request_;
};

} // namespace

std::unique_ptr<subcommand> make_predict() { return std::make_unique<predict_command>(); }

} // namespace topo::tool
