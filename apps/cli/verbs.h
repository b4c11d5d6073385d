// What `dither` can do.
#pragma once

#include <string>
#include <vector>

namespace dither::cli {

using Words = std::vector<std::string>;

// Runs `dither WORDS...`. Throws Error for mistakes and failures, Cancelled after a signal.
void run(const Words& words);

// Thrown by a check that has printed what it found: exit 1.
struct FoundSomething {};

// The verbs, each in its own file.
void account(const Words& words);
void budget(const Words& words);
void calibrate(const Words& words);
void check(const Words& words);
void demo(const Words& words);
void explain(const Words& words);
void functions(const Words& words);
void history(const Words& words);
void init(const Words& words);
void mechanisms(const Words& words);
void noise(const Words& words);
void query(const Words& words);
void release(const Words& words);
void tables(const Words& words);
void verify(const Words& words);

}  // namespace dither::cli
