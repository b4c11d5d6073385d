// The verbs below `dither budget`.
#pragma once

#include "cli/verbs.h"

namespace dither::cli {

void budget_anchor(const Words& words);
void budget_backup(const Words& words);
void budget_charge(const Words& words);
void budget_create(const Words& words);
void budget_export(const Words& words);
void budget_freeze(const Words& words);
void budget_grant(const Words& words);
void budget_head(const Words& words);
void budget_import(const Words& words);
void budget_recover(const Words& words);
void budget_reprice(const Words& words);
void budget_restore(const Words& words);
void budget_review(const Words& words);
void budget_revoke(const Words& words);
void budget_show(const Words& words);
void budget_statement(const Words& words);
void budget_thaw(const Words& words);
void budget_verify(const Words& words);
void budget_version(const Words& words);

}  // namespace dither::cli
