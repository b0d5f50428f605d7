#!/bin/sh
# Brings a copy up to date and proves that it is what the service has. For a line of crontab:
#
#     15 2 * * *  . $HOME/octavo.env; nightly-sync.sh /srv/copy.sqlite flight aircraft >>$HOME/octavo-sync.log 2>&1
#
# octavo.env exports OCTAVO_URL and OCTAVO_TOKEN; only its owner may read it. Exit codes, for whatever watches it:
#
#     0    the copy was brought up to date, and every row of it was compared
#     1    it could not be brought up to date; it is the state that it was before
#     2    the command was used wrongly
#     3    it was brought up to date, but not proven: the output names the rows that differ, or says what kept it from comparing
#     75   the last run is still at work; nothing was done
#
# COPY.verified has the time of the last proof: if it is older than two days, something is wrong, whatever the reason.
set -u

if [ $# -lt 2 ]; then
  echo "usage: nightly-sync.sh COPY TYPE..." >&2
  exit 2
fi
copy=$1
shift

# The lock ends with this process and what it has started, also if they are killed.
exec 9>"$copy.lock" || exit 2
flock --nonblock 9 || { echo "$(date -u +%FT%TZ) the last sync of $copy is still at work" >&2; exit 75; }

octavo sync "$@" --to "$copy"
code=$?
if [ $code -ne 0 ]; then
  echo "$(date -u +%FT%TZ) $copy was not brought up to date (octavo sync: exit code $code)" >&2
  [ $code -eq 2 ] && exit 2
  exit 1
fi
if ! octavo verify --to "$copy"; then
  echo "$(date -u +%FT%TZ) $copy was not proven; if rows differ, octavo sync $* --to $copy --restart reads all of it again" >&2
  exit 3
fi
date -u +%FT%TZ >"$copy.verified"
