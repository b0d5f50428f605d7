"""A collection as a DataFrame of pandas, whose columns have the types of the properties.

    python3 pandas_frame.py FAMILY TYPE

Left to guess, pandas makes floats of whole numbers as soon as one is missing, and floats round. `frame` takes the types from the
definition: what is missing is missing, and every digit stays. It needs pandas (on Debian: apt-get install python3-pandas), and
walk_everything.py beside it.
"""

import decimal
import sys

import pandas

from walk_everything import Incomplete, Refused, definition, walk

# Python keeps every digit of a decimal, but computes with 28 unless told otherwise. A decimal of Octavo has up to 38.
decimal.getcontext().prec = 60

# pandas keeps times in nanoseconds, which end in the year 2262: it refuses others (OutOfBoundsDatetime) and rounds none.
CONVERT = {
    "string": lambda column: column.astype("string"),
    "boolean": lambda column: column.astype("boolean"),
    "integer": lambda column: pandas.array([each if each is None else int(each) for each in column], "Int32"),
    "long": lambda column: pandas.array([each if each is None else int(each) for each in column], "Int64"),
    "double": lambda column: column.astype("Float64"),
    "decimal": lambda column: column.map(decimal.Decimal, na_action="ignore"),
    "date": lambda column: pandas.to_datetime(column, format="%Y-%m-%d"),
    "timestamp": lambda column: pandas.to_datetime(column, utc=True),
}


def frame(family, object_type, **options):
    """All objects, with the primary key as index. Arrays and structs stay lists and dicts."""
    described = definition(family, object_type)
    types = {name: each["type"] for name, each in described["properties"].items()}
    rows = [[properties.get(name) for name in types] for properties in walk(family, object_type, **options)]
    objects = pandas.DataFrame(rows, columns=list(types), dtype=object)
    for name, kind in types.items():
        if isinstance(kind, str):
            objects[name] = CONVERT[kind](objects[name])
    return objects.set_index(described["primaryKey"])


def main(family="example", object_type="employee"):
    objects = frame(family, object_type)
    print(objects.dtypes.to_string())
    print(f"{len(objects)} objects of {object_type}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except (Refused, Incomplete) as error:
        raise SystemExit(str(error)) from error
