// A copy of a ledger, made while it is in use.
#pragma once

#include <string>

namespace dither::ledger {

// Copies the ledger's file as it stands, and its long answers, to a new place.
//
// Promise    the copy is one state of the ledger, complete and durable, however many processes write meanwhile;
//            whatever fails, there is nothing at the new place. It is marked as a copy and has no head file: it can be
//            read, but nothing can be spent from it until Ledger::restore takes it up with the last known head.
// Refuses    a place that is taken, or cannot be written (cannot-write); damage, also of an answer (ledger-damaged).
// Cost       reads and writes everything once. Writers go on; their log grows until it is done.
void back_up(const std::string& path, const std::string& to);

}  // namespace dither::ledger
