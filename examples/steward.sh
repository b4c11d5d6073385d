#!/bin/bash
# A steward's session with a ledger, from its making to the check of a backup. Needs `dither` on the PATH; works in the
# current folder, and keeps the key that signs the ledger there too.
set -euo pipefail
export DITHER_KEY=$PWD/steward.key

# A data set about persons may spend epsilon 1, of which a fifth is kept back for corrections.
dither budget create --ledger visits.ledger --dataset visits --unit person --neighbours add-remove \
  --epsilon 1 --reserve 20% --by Ada --why "agreed by the board on 3 May" --evidence minutes-2026-05-03.pdf

# A purpose gets a part of it, for counts alone.
dither budget create --ledger visits.ledger --budget visits/flu --kind purpose --epsilon 0.5 --allows count \
  --purpose "weekly counts of flu visits for the public health office" --by Ada --why "request 17"

# What would one release with Laplace noise of scale 10 cost, and how many of them fit?
dither budget show --ledger visits.ledger visits/flu --laplace 10

# A release that was made with other software is booked; the same plan again is the same release.
dither budget charge --ledger visits.ledger visits/flu --plan "flu visits, week 46" --statistic count --laplace 10 \
  --note "week 46: 412" --by Bob

# What does not fit is refused, with status 3, and kept in the history.
dither budget charge --ledger visits.ledger visits/flu --plan "by hour" --statistic count --laplace 2 --times 24 \
  --by Bob || echo "status $?"
dither history --ledger visits.ledger --refusals

# The head is noted elsewhere, so that nobody can roll the ledger back unnoticed; a backup is made and checked.
dither budget head --ledger visits.ledger > noted-head.txt
dither budget backup --ledger visits.ledger --to backup.ledger
dither budget verify --ledger backup.ledger --head noted-head.txt --other visits.ledger

# The page for the ethics board.
dither budget statement --ledger visits.ledger visits --markdown --out statement.md
