"""Every object of one state of a collection, with nothing but Python.

    python3 walk_everything.py FAMILY TYPE > objects.ndjson

`walk` is for programs and notebooks: copy the file beside them and import it. Its pages are all of one state, whatever is written
meanwhile. It ends only after as many objects as that state has, and raises an error otherwise.
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("OCTAVO_URL", "http://127.0.0.1:8080")
TOKEN = os.environ.get("OCTAVO_TOKEN", "")
EMPTY = {"type": "empty"}


class Refused(Exception):
    """The service has refused the request; the text is its reason."""


class Incomplete(Exception):
    """Another number of objects has come than the state has."""


def ask(path, body=None, attempts=6):
    """A request to the service. What may pass is tried again: a token always gives the same page, so nothing comes twice."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, attempts + 1):
        try:
            request = urllib.request.Request(URL + path, data, headers)
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            wait = float(refusal.headers.get("Retry-After") or 0)
            text = refusal.read().decode(errors="replace")
            if refusal.code not in (429, 502, 503, 504) or attempt == attempts:
                raise Refused(reason(text) or f"HTTP {refusal.code}") from refusal
        except (urllib.error.URLError, ConnectionError, TimeoutError, http.client.IncompleteRead):
            wait = 0
            if attempt == attempts:
                raise
        time.sleep(wait + random.random() * min(2**attempt / 10, 3))


def reason(text):
    try:
        error = json.loads(text)
        return f"{error['errorName']}: {error['errorDescription']}"
    except (ValueError, KeyError, TypeError):
        return None


def path_of(family, object_type):
    return f"/api/{urllib.parse.quote(family)}/v1/objects/types/{urllib.parse.quote(object_type)}"


def definition(family, object_type):
    """The type: its properties and the type of each."""
    return ask(path_of(family, object_type))


def walk(family, object_type, query=EMPTY, page_size=1000):
    """Yields the properties of every object that matches, in one state."""
    body = {"query": query, "snapshot": True, "pageSize": page_size}
    received = 0
    while True:
        page = ask(f"{path_of(family, object_type)}/search", body)
        for each in page["data"]:
            yield each["properties"]
        received += len(page["data"])
        if "nextPageToken" not in page:
            break
        body = {**body, "pageToken": page["nextPageToken"]}
    # Of many matches the service counts only the first 10,000; then there is nothing to compare.
    if "totalCount" in page and not page.get("totalCountIsLowerBound") and int(page["totalCount"]) != received:
        raise Incomplete(f"{received} objects were received, but the state has {page['totalCount']}.")


def main(family="example", object_type="employee"):
    count = 0
    for properties in walk(family, object_type):
        print(json.dumps(properties, ensure_ascii=False))
        count += 1
    print(f"{count} objects of {object_type}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except (Refused, Incomplete) as error:
        raise SystemExit(str(error)) from error
