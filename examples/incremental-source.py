"""An incremental source: puts and deletes since the last run, into a table of a SQLite file.

    incremental-source.py copy.sqlite

It needs nothing but Python. `changes_since` is the source: a generator such as loaders like dlt take, for a destination that merges by
primary key and deletes. What it yields and the token of the state that this leads to are stored in one transaction, so that a run that
is killed, or one that fails, changes nothing, and the next one begins where the last good one ended.
"""

import json
import os
import sqlite3
import sys
import urllib.error
import urllib.request

URL = os.environ.get("OCTAVO_URL", "http://127.0.0.1:8080")
TOKEN = os.environ.get("OCTAVO_TOKEN", "")
TYPE = f"{URL}/api/example/v1/objects/types/employee"


class Expired(Exception):
    """The service no longer knows what has changed since that state."""


def ask(path, body):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = urllib.request.Request(TYPE + path, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        error = json.load(refusal)
        if error["errorName"] in ("ChangesExpired", "InvalidSnapshotToken"):
            raise Expired(error["errorDescription"]) from refusal
        raise SystemExit(f"{error['errorName']}: {error['errorDescription']}") from refusal


def changes_since(since):
    """Yields {"type": "put" or "delete", "primaryKey", ...}; with no state, everything. Returns the token of the state it leads to."""
    path, body = "/changes", {"fromSnapshotToken": since}
    if since is None:
        path, body = "/search", {"query": {"type": "empty"}, "snapshot": True}
    while True:
        page = ask(path, body)
        for each in page["data"]:
            yield each if since else {"type": "put", "primaryKey": each["primaryKey"], "object": each}
        # The last page has the token of a state instead of one for the next page.
        if "nextPageToken" not in page:
            return page["snapshotToken"]
        body = {**body, "pageToken": page["nextPageToken"]}


def load(copy, since):
    """Stores all changes and the token together, or nothing."""
    counts = {"put": 0, "delete": 0}
    with copy:
        if since is None:
            copy.execute("delete from employee")
        changes = changes_since(since)
        while True:
            try:
                change = next(changes)
            except StopIteration as end:
                copy.execute("insert or replace into state values ('employee', ?)", [end.value])
                return counts
            counts[change["type"]] += 1
            if change["type"] == "put":
                row = [change["primaryKey"], json.dumps(change["object"]["properties"])]
                copy.execute("insert or replace into employee values (?, ?)", row)
            else:
                copy.execute("delete from employee where id = ?", [change["primaryKey"]])


def main(file):
    copy = sqlite3.connect(file)
    copy.execute("create table if not exists employee (id text primary key, properties text)")
    copy.execute("create table if not exists state (type text primary key, token text)")
    [since] = copy.execute("select token from state").fetchone() or [None]
    try:
        counts = load(copy, since)
    except Expired as expired:
        print(f"{expired} Everything is read again.", file=sys.stderr)
        counts = load(copy, None)
    [total] = copy.execute("select count(*) from employee").fetchone()
    print(f"{counts['put']} put, {counts['delete']} deleted: {total} employees in {file}")


main(*sys.argv[1:2] or ["copy.sqlite"])
