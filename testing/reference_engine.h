// An engine over a few rows in memory, slow and obvious, that can be made to fail.
#pragma once

#include <functional>
#include <mutex>

#include "engine/engine.h"
#include "testing/plan_reference.h"
#include "testing/shared_number.h"

namespace dither::testing {

class ReferenceEngine : public engine::Engine {
 public:
  ReferenceEngine(const plan::Project& project, PlanDatabase database)
      : project_(project), database_(std::move(database)) {}

  void prepare(const plan::BoundedAggregate& aggregate) override;
  engine::ExactNumbers run(const plan::BoundedAggregate& aggregate, const engine::Watch& watch) override;
  std::string fingerprint(const std::vector<std::string>& tables) override;

  // Called at the beginning of each; set before the first use.
  std::function<void()> at_prepare, at_fingerprint;
  std::function<void(const engine::Watch&)> at_run;
  SharedNumber prepared, runs;  // also in processes that were forked

 private:
  plan::Project project_;
  PlanDatabase database_;
};

// What an engine gives for numbers that are known: public keys in their order, private ones ascending.
engine::ExactNumbers::Content reference_content(const plan::Project& project, const PlanDatabase& database,
                                                const plan::BoundedAggregate& aggregate);

}  // namespace dither::testing
