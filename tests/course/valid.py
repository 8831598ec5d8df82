#!/usr/bin/env python3
"""valid.py SCHEMA FILE…: are the JSON or YAML files as the JSON schema says?

Ends with 0 when they are, 1 after saying where they are not, 77 when python3-jsonschema (or python3-yaml) is missing.
"""

import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)


def refuse(word):
    raise ValueError(f"{word} is no JSON")


def read(path):
    with open(path, encoding="utf-8") as file:
        if not path.endswith((".yml", ".yaml")):
            return json.load(file, parse_constant=refuse)
        try:
            import yaml
        except ImportError:
            sys.exit(77)
        return yaml.load(file, Loader=yaml.BaseLoader)  # "on" is a word there, as GitHub reads it


def faults(rules, path):
    try:
        for error in rules.iter_errors(read(path)):
            yield f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
    except ValueError as error:
        yield str(error)


rules = jsonschema.Draft7Validator(read(sys.argv[1]))
wrong = [(path, fault) for path in sys.argv[2:] for fault in faults(rules, path)]
for path, fault in wrong:
    print(f"{path}: {fault}")
sys.exit(1 if wrong else 0)
