# The walks of docs/screen.md, at a small and at a large size. (Keys from a script, without tmux.)
. tests/ui/sessions/lib.sh
need_compiler
screens=$HOME_DIR/screens
# microseconds NAME WORD: what a saved screen says behind the word
microseconds() { sed -n "s/^ *$2:* .* \([0-9]\{2,\}\.[0-9]\) [uµ]s .*/\1/p" "$screens/$1" | head -n 1; }
for walk in tests/ui/walks/*.walk; do
    for size in 80x24 160x45; do
        sh tests/ui/walk.sh "$BANKSHOT" "$walk" $size "$screens" || exit 1
        case $walk in *double-buffering*) ;; *) continue ;; esac
        # The two times that lesson 9's timeline compares are those of the two reports.
        times="$(microseconds compare before) $(microseconds compare now)"
        reports="$(microseconds asked yours) $(microseconds reported yours)"
        [ "$times" = "$reports" ] && [ ${#times} -gt 8 ] || {
            echo "failed at $size: the timeline says '$times' µs, the reports '$reports'"
            cat "$screens/compare" "$screens/asked" "$screens/reported"
            exit 1
        }
    done
done
