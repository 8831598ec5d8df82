#!/usr/bin/env python3
"""Written by `bankshot export classroom50`: grades the checkout that it is started in and writes result.json.

Belongs into autograders/ASSIGNMENT/ of the classroom50 repository, with setup.sh and bankshot.tar.gz beside it. Ends
with 0 when it graded, whatever the marks are; otherwise the fault is this machine's, there is no result.json, and
Classroom 50 reports an error and no score. Nothing of the checkout is run, imported or followed.
"""

import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ARGUMENTS = "@ARGUMENTS@".split()
HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = pathlib.Path.cwd()


def remove(path):
    """Whatever a student left under that name, a link or a folder too."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def grade():
    """The score and tests, as `bankshot autograde` prints them; None after a message."""
    if subprocess.run(["sh", str(HERE / "setup.sh")], cwd=HERE, check=False).returncode:
        return None
    bankshot = HERE / "bankshot" / "bin" / "bankshot"
    command = [str(bankshot), "autograde", "--as", "classroom50", "--hand-in", str(CHECKOUT), *ARGUMENTS]
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(command, cwd=empty, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        return None
    return json.loads(done.stdout)


def identity(env):
    """Which submission this is. The runner stamps owner, type and date again, by what it knows itself."""
    known = {
        "schema": "classroom50/result/v1",
        "classroom": env["CLASSROOM"],
        "assignment": env["ASSIGNMENT"],
        "assignment_type": env.get("ASSIGNMENT_TYPE") or "individual",
        "owner": env.get("OWNER") or env.get("USERNAME") or env.get("GITHUB_ACTOR"),
        "submission": env["SUBMISSION_TAG"],
        "commit": env["COMMIT_URL"],
        "release": env["RELEASE_URL"],
        "review": env.get("REVIEW_URL") or env["COMMIT_URL"],
        "datetime": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    return {key: value for key, value in known.items() if value}


def main():
    target = CHECKOUT / "result.json"
    remove(target)
    try:
        result = identity(os.environ)
    except KeyError as missing:
        sys.exit(f"autograder.py: the environment lacks {missing}; Classroom 50's runner sets it")
    graded = grade()
    if graded is None:
        sys.exit("autograder.py: nothing was graded; the lines above say why")
    result.update(graded)
    with open(target, "x", encoding="utf-8") as file:
        json.dump(result, file, indent=2)
    print(f"{result['score']} of {result['max-score']} points")


main()
