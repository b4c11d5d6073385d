// What vouching for a head costs after each transaction: signing it, then noting it in its file.
#include "ledger/head_file.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

#include "ledger/owner.h"

namespace dither::ledger {
namespace {

// A fresh head each time. Should stay well under 100 us: three of these go with every release.
void BM_sign_head(benchmark::State& state) {
  const SigningKey key = SigningKey::make();
  Head head{0, sha256("")};
  for (auto _ : state) {
    ++head.number;
    benchmark::DoNotOptimize(sign_head(key, "00112233445566778899aabbccddeeff", head));
  }
}
BENCHMARK(BM_sign_head);

void BM_verify_head(benchmark::State& state) {
  const SigningKey key = SigningKey::make();
  const SignedHead head = sign_head(key, "00112233445566778899aabbccddeeff", {1, sha256("")});
  for (auto _ : state) benchmark::DoNotOptimize(head_verifies(head, key.public_key()));
}
BENCHMARK(BM_verify_head);

// Without a sync (0) a few microseconds; with one (1) what the disk takes.
void BM_write_head_file(benchmark::State& state) {
  std::string folder = (std::filesystem::temp_directory_path() / "dither-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return state.SkipWithError("no temporary folder");
  SignedHead head = sign_head(SigningKey::make(), "00112233445566778899aabbccddeeff", {1, sha256("")});
  for (auto _ : state) {
    ++head.head.number;
    write_head_file(folder + "/ledger.head", head, state.range(0) != 0);
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(BM_write_head_file)->Arg(0)->Arg(1);

// Recovery asks this of every release that is held.
void BM_is_alive(benchmark::State& state) {
  const Owner self = this_process();
  for (auto _ : state) benchmark::DoNotOptimize(is_alive(self));
}
BENCHMARK(BM_is_alive);

}  // namespace
}  // namespace dither::ledger
