#!/bin/sh
# modifiers.sh [FILE]: asks ptxas 13 about every instruction of data/modifiers.txt, and about each with every word more
# that its second line lists, and writes the file again. Run from the repository root; takes some minutes. ptxas takes words in any order, so the
# word more stands last. What holds for Hopper or for Blackwell counts. Words of other instructions that ptxas overlooks
# everywhere (testp's classes, .b2) are left out, and words that end ptxas' reading count as refused.
set -eu
file=${1:-tests/ptx/data/modifiers.txt}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
sed -n 's/^# words //p' "$file" | tr ' ' '\n' >"$work/words"

# refused TARGET: the numbers of the lines of $work/lines that ptxas refuses, each with why
refused() {
    {
        printf '.version 9.0\n.target %s\n.address_size 64\n.entry k() {\n' "$1"
        printf '%s ' '.reg .b32 %r<12>; .reg .pred %p<12>; .reg .b64 %rd<12>; .reg .b16 %h<12>; .reg .b128 %q<9>;'
        printf 'L: T: .branchtargets L;\n'
        cat "$work/lines"
        printf 'shl.sat.b32 %%r1, %%r2, %%r3;\nret;\n}\n'
    } >"$work/k.ptx"
    ptxas --compile-only -arch "$1" "$work/k.ptx" -o /dev/null 2>&1 |
        sed -n 's/^ptxas .*, line \([0-9]*\); \(error\|fatal\) *: \(.*\)/\1 \3/p' |
        awk '!seen[$1]++ { line = $1 - 5; $1 = line; print }'
}

# one INSTRUCTION: its line of the file
one() {
    printf '%s\n' "$1" >"$work/lines"
    awk -v inst="$1" '{ at = match(inst, /[ ;]/); print substr(inst, 1, at - 1) "." $0 substr(inst, at) }' \
        "$work/words" >>"$work/lines"
    count=$(wc -l <"$work/lines")
    for target in sm_90a sm_100a; do
        refused "$target" >"$work/$target"
        # Where the last line, which is wrong, draws no error, a line ended the reading: one line at a time, then.
        grep -q "^$((count + 1)) " "$work/$target" && continue
        cp "$work/lines" "$work/all"
        : >"$work/single"
        number=0
        while read -r line; do
            number=$((number + 1))
            printf '%s\n' "$line" >"$work/lines"
            refused "$target" >"$work/answer"
            grep -q '^2 ' "$work/answer" || echo '1 ends the reading' >>"$work/answer"
            sed -n "s/^1 /$number /p" "$work/answer" >>"$work/single"
        done <"$work/all"
        mv "$work/single" "$work/$target"
        mv "$work/all" "$work/lines"
    done
    awk -v inst="$1" -v words="$work/words" -v other="$work/sm_100a" '
        # Words that need other operands, or a target of their own.
        function depends(why, word) {
            return why ~ /Arguments mismatch|[Vv]ector (expected|size)|Result vector|exceeds 128|requires .target/ ||
                why ~ /Sink|[Ss]tate space (incorrect|expected)|Only .v2|requires .* type with .* modifier/ ||
                (why ~ /Unknown/ && word ~ /^(expect_tx|parity|to|noComplete)$/ && inst ~ /^(mbarrier|cvta)/)
        }
        BEGIN { while ((getline line <other) > 0) { split(line, part, " "); also[part[1]] = line } }
        $1 in also { why[$1] = also[$1] }
        END {
            if (1 in why) { print inst " !"; exit }
            out = inst
            split(inst, head, /[ ;]/)
            dotted = head[1] "."
            for (n = 2; (getline word <words) > 0; n++) {
                if (index(dotted, "." word ".")) continue
                lax = word ~ /^(finite|infinite|number|notanumber|normal|subnormal)$/ && inst !~ /^testp/
                if (!(n in why) && !lax)
                    out = out " " word
                else if (n in why && depends(why[n], word))
                    open = open " ?" word
            }
            print out open
        }' "$work/sm_90a"
}

grep '^#' "$file" >"$work/new"
grep -v '^#' "$file" | sed 's/;.*/;/' >"$work/instructions"
while read -r inst; do
    one "$inst" >>"$work/new"
done <"$work/instructions"
cat "$work/new" >"$file"
