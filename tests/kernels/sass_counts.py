#!/usr/bin/env python3
"""Counts LDS and STS by width in the SASS of a PTX file.
usage: sass_counts.py PTXAS CUOBJDUMP FILE.ptx > tests/golden/sm_90_sass.csv"""
import re, subprocess, sys, tempfile

WIDTHS = ("small", "32", "64", "128")


def width_of(suffix):
    if ".128" in suffix:
        return "128"
    if ".64" in suffix:
        return "64"
    return "small" if re.search(r"\.[SU](8|16)\b", suffix) else "32"


def count(listing):
    kernels, name = {}, None
    for line in listing.split("\n"):
        found = re.search(r"Function : (\S+)", line)
        if found:
            name = found[1]
            kernels[name] = dict.fromkeys(["LDS " + w for w in WIDTHS] + ["wait"] + ["STS " + w for w in WIDTHS], 0)
            continue
        found = re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?(LDS|STS)(\S*)\s+(.*?);", line)
        if not found:
            continue
        if found[1] == "LDS" and found[3].startswith("RZ"):
            kernels[name]["wait"] += 1      # reads nothing: how ptxas waits for cp.async
        else:
            kernels[name][f"{found[1]} {width_of(found[2])}"] += 1
    return kernels


ptxas, cuobjdump, ptx = sys.argv[1:]
with tempfile.NamedTemporaryFile(suffix=".cubin") as cubin:
    subprocess.run([ptxas, "-arch=sm_90", "-O3", ptx, "-o", cubin.name], check=True)
    listing = subprocess.run([cuobjdump, "-sass", cubin.name], check=True, capture_output=True, text=True).stdout
version = re.search(r"release ([\d.]+)", subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout)[1]
print(f"# LDS and STS instructions by width in the SASS that ptxas {version} -O3 -arch=sm_90 makes of {ptx}.")
print("# lds_wait: LDS RZ, [RZ], which waits for cp.async and reads nothing. By tests/kernels/sass_counts.py.")
print("kernel," + ",".join("lds_" + w for w in WIDTHS) + ",lds_wait," + ",".join("sts_" + w for w in WIDTHS))
for name, counts in sorted(count(listing).items()):
    print(name + "," + ",".join(str(c) for c in counts.values()))
