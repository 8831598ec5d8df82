# The mouse is the terminal's own until it is asked for; then clicks and the wheel arrive, and M gives it back.
. tests/ui/sessions/lib.sh
start 80 24
wants_mouse() { tm display-message -p '#{mouse_any_flag}'; }
# mouse BUTTON TEXT: what a terminal sends for a press of the button (0 left, 65 wheel down) on the text
mouse() {
    row=$(screen | grep -nF -- "$2" | head -1 | cut -d: -f1)
    column=$(screen | sed -n "${row}p" | awk -v text="$2" '{ print index($0, text) }')
    tm send-keys -l "$(printf '\033[<%d;%d;%dM\033[<%d;%d;%dm' "$1" "$column" "$row" "$1" "$column" "$row")${3:-}"
}
double() { mouse 0 "$1" "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$column" "$row" "$column" "$row")"; }
keys 'export TERM=xterm-256color' Enter
lab ''
see 'q leave'
[ "$(wants_mouse)" = 0 ] || fail 'the mouse was taken unasked'
keys M
see 'mouse on'
[ "$(wants_mouse)" = 1 ] || fail 'the mouse was not taken'
mouse 0 'Padding'
see '▸  4'
mouse 0 'Naive transpose'
see '▸  2'
double 'Naive transpose'
see '[1 lesson]'
mouse 65 'Naive transpose'
gone '═══'
mouse 0 '4 step'
see '[4 step]'
# a click leaves nothing half read: the next signal is heard at once
keys C-z
see 'Stopped'
keys fg Enter
see '[4 step]'
keys M
see 'mouse off'
[ "$(wants_mouse)" = 0 ] || fail 'the mouse was kept'
keys Q
gone '[4 step]'
# asked for from the start; suspended, the shell has it back
lab '--mouse'
see 'q leave'
[ "$(wants_mouse)" = 1 ] || fail 'the mouse was not taken'
keys C-z
see 'Stopped'
[ "$(wants_mouse)" = 0 ] || fail 'the shell did not get the mouse back'
keys fg Enter
see 'q leave'
[ "$(wants_mouse)" = 1 ] || fail 'the mouse was not taken again'
lab_process=$(child_of_shell)
kill -SEGV "$lab_process"
gone 'q leave'
[ "$(wants_mouse)" = 0 ] || fail 'a crash kept the mouse'
