#!/bin/sh
# Written by `bankshot export`. Unpacks Bankshot beside this script and sees to it that there is a compiler for kernels
# (nvcc, or clang 14 or later), then grades a solution to prove it. Says what it does, and what is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bankshot=$here/bankshot/bin/bankshot
said=$(mktemp)
trap 'rm -f "$said"' EXIT

say() { echo "bankshot setup: $*"; }
fail() {
    say "$*" >&2
    exit 2
}

# Whatever lay there before is not ours.
rm -rf "$here/bankshot"
mkdir "$here/bankshot"
tar -xzf "$here/bankshot.tar.gz" -C "$here/bankshot" || fail "cannot unpack $here/bankshot.tar.gz: export it again"
if ! "$bankshot" --version >"$said" 2>&1; then
    cat "$said" >&2
    fail "Bankshot does not run here ($(uname -m), $(ldd --version 2>&1 | head -n 1)): choose a newer image" \
        "(Ubuntu 22.04, Debian 12 or later), or make the bundle on a machine like this one"
fi

have_compiler() {
    command -v nvcc || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] && return 0
    for name in clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19 clang-20 clang-21; do
        command -v $name >/dev/null || continue
        major=$($name -dumpversion | cut -d . -f 1)
        [ "$major" -ge 14 ] && return 0
    done
    return 1
}

apt() {
    $root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=2 "$@" >>"$said" 2>&1 </dev/null
}

if ! have_compiler >/dev/null 2>&1; then
    say "no nvcc and no clang of version 14 or later: installing clang from this system's packages"
    command -v apt-get >/dev/null || fail "there is no apt-get either: take an image that has clang or nvcc"
    root=
    [ "$(id -u)" = 0 ] || root='sudo -n'
    : >"$said"
    if ! { apt update && apt install --no-install-recommends clang; }; then
        tail -n 5 "$said" >&2
        fail "clang could not be installed (is there a network, and are you root?): allow it, or take an image that has clang"
    fi
    have_compiler >/dev/null 2>&1 || fail "the clang of this system is older than 14: choose a newer image"
fi

# The whole road once, with a hand-in that must pass.
lesson=$(ls "$here/bankshot/share/bankshot/solutions" | head -n 1)
if ! "$bankshot" check "${lesson%.cu}" --file "$here/bankshot/share/bankshot/solutions/$lesson" --quick >"$said" 2>&1; then
    cat "$said" >&2
    fail "grading the solution of ${lesson%.cu} failed; the lines above say why"
fi
say "ready: $("$bankshot" --version), $lesson graded"
