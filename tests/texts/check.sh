#!/bin/sh
# Checks the texts: spelling (words that aspell does not know are in docs/spelling.txt), links between files, and that
# the exercises in git are the starters. Run from the root of the tree. Skips spelling where aspell is missing.
set -eu
failed=0
checked=0
links=0
plain=$(mktemp)
trap 'rm -f "$plain"' EXIT
tell() { echo "$1" >&2; failed=1; }
unknown() { aspell --lang=en_GB --encoding=utf-8 list <"$plain" | sort -u | grep -vxF -f docs/spelling.txt || true; }

texts=$(find lessons docs ./*.md -name '*.md')
configs=$(find lessons docs -name 'lesson.cfg')

if command -v aspell >/dev/null; then
    # code in fences and between backticks is not language; in lesson.cfg only strings that contain a blank are
    for file in $texts; do
        sed '/^```/,/^```/d' "$file" | sed -z 's/`[^`]*`/ /g; s/([^ )]*\.md[^ )]*)//g; s/[a-z-]*\.\(md\|svg\)//g' >"$plain"
        words=$(unknown)
        checked=$((checked + $(wc -w <"$plain")))
        [ -n "$words" ] || continue
        case $file in
        lessons/* | docs/writing-lessons.md | docs/example-lesson/*) tell "$file: unknown words: $(echo $words)" ;;
        *) echo "$file: new words: $(echo $words)" ;;                # names and options, mostly: shown, not failed
        esac
    done
    for file in $configs; do
        grep -oE '(message|question|why|look|summary|title|next) *= *"([^"\\]|\\.)*"|^  "([^"\\]|\\.)*"' "$file" |
            sed 's/^[a-z]* *= *//; s/[A-Za-z0-9_.]*[_(\[<][^ ]*//g' >"$plain"
        words=$(unknown)
        checked=$((checked + $(wc -w <"$plain")))
        [ -z "$words" ] || tell "$file: unknown words: $(echo $words)"
    done
    echo "spelling: $checked words checked"
else
    echo "spelling: skipped, no aspell"
fi

for file in $texts; do
    for link in $(sed '/^```/,/^```/d; s/`[^`]*`//g' "$file" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//; s/#.*//'); do
        case $link in
        http://* | https://* | "") ;;
        *) links=$((links + 1))
            [ -e "$(dirname "$file")/$link" ] || tell "$file: link to $link leads nowhere" ;;
        esac
    done
done
echo "links: $links checked"

# What a page says of the modelled speed to pass is what the gate asks for.
for config in lessons/*/lesson.cfg; do
    page=$(dirname "$config")/lesson.md
    for bound in $(sed -n 's/.* sim = "\([^"]*\)".*/\1/p' "$config" | grep -oE 'modelled_vs_naive >= [0-9.]+' | sed 's/.* //'); do
        case $bound in
        2) said='twice' ;;
        0.5) said='modelled half' ;;
        *) said="modelled $bound (times|of)" ;;
        esac
        tr -s '\n ' ' ' <"$page" | grep -qE "$said" || tell "$page does not say that $bound times naive's speed passes"
    done
done

for starter in lessons/*/starter.cu; do
    exercise=exercises/$(basename "$(dirname "$starter")").cu
    git diff --quiet HEAD -- "$exercise" 2>/dev/null || continue    # a learner's work in progress
    cmp -s "$starter" "$exercise" || tell "$exercise is not $starter"
done
exit $failed
