# The walks of docs/screen.md, at a small and at a large size. (Keys from a script, without tmux.)
. tests/ui/sessions/lib.sh
need_compiler
screens=$HOME_DIR/screens
for walk in tests/ui/walks/*.walk; do
    for size in 80x24 160x45; do
        sh tests/ui/walk.sh "$BANKSHOT" "$walk" $size "$screens" || exit 1
    done
done
# What the timeline says last, in lesson 9 at the large size, is what the report says.
time=$(sed -n 's/.*now: modelled ([^)]*): \([0-9.]*\) µs.*/\1/p' "$screens/compare")
report=$(awk '$1 == "yours" && $3 == "us" { print $2; exit }' "$screens/pass")
[ -n "$time" ] && [ "$time" = "$report" ] || {
    echo "failed: the timeline says '$time' µs, and the report"
    cat "$screens/pass"
    exit 1
}
