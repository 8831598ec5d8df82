#!/usr/bin/env python3
"""valid.py FILE SCHEMA: is the JSON or YAML file as the JSON schema says?

Ends with 0 when it is, 1 after saying where it is not, 77 when python3-jsonschema (or python3-yaml) is missing.
"""

import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

path, schema = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    if path.endswith((".yml", ".yaml")):
        try:
            import yaml
        except ImportError:
            sys.exit(77)
        content = yaml.load(file, Loader=yaml.BaseLoader)  # "on" is a word there, as GitHub reads it
    else:
        content = json.load(file, parse_constant=lambda word: sys.exit(f"{path}: {word} is no JSON"))
with open(schema, encoding="utf-8") as file:
    rules = json.load(file)
wrong = list(jsonschema.Draft7Validator(rules).iter_errors(content))
for error in wrong:
    print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
sys.exit(1 if wrong else 0)
