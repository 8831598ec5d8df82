# What a terminal can do to a program: other sizes in every view, suspension, a closed window; and it stays as it was.
. tests/ui/sessions/lib.sh
start 80 24
keys 'stty -g > before' Enter
lab ''
see 'q leave'
tm resize-window -x 30 -y 8
see 'too small'
tm resize-window -x 120 -y 40
see 'q leave'
# through_sizes TEXT: it stays on the screen, and what was chosen stays chosen
through_sizes() {
    for size in '200 60' '60 16' '41 11' '80 24'; do
        tm resize-window -x "${size% *}" -y "${size#* }"
        see "$1"
    done
}
keys g j j
see '▸  3'
through_sizes '▸  3'
keys '?'
see 'Keys of lessons'
through_sizes 'Keys of lessons'
keys q
see '▸  3'
keys g
see '▸  1'
keys Enter
see '[1 lesson]'
through_sizes '[1 lesson]'
for view in 2 3 4 5 6; do
    keys $view
    see "[$view "
    through_sizes "[$view "
    [ $view = 6 ] || continue
    keys Escape
    gone '[6 '
done
keys '?'
see 'Everywhere'
keys C-z
see 'Stopped'
keys fg Enter
see 'Everywhere'
keys '?'
gone 'Everywhere'
# a stopped editor stops the lab with it, whether it stops itself or everyone; both go on with fg
for how in '-STOP $$' '-TSTP 0'; do
    printf '#!/bin/sh\nkill %s\necho editor-went-on\n' "$how" > "$HOME_DIR/editor"
    chmod +x "$HOME_DIR/editor"
    keys Q
    see 'ready$'
    keys "clear; EDITOR='$HOME_DIR/editor' $BANKSHOT lab padding" Enter
    see '[1 lesson]'
    keys e
    see 'Stopped'
    keys 'clear; fg' Enter
    see '[1 lesson]'
done
# an editor that is not there is named
keys Q
gone '[1 lesson]'
keys "clear; EDITOR=no-such-editor $BANKSHOT lab padding" Enter
see '[1 lesson]'
keys e
see "'no-such-editor' could not be started"
keys Q
gone '[1 lesson]'
keys 'stty -g > after; cmp before after && echo the-"same"' Enter
see 'the-same'
# the shell's child is the lab: its window goes away, and so must it
lab ''
see 'q leave'
lab_process=$(child_of_shell)
kill -TERM "$lab_process"
gone 'q leave'
keys 'echo "left: $?"' Enter
see 'left: 0'
for signal in HUP INT; do
    lab ''
    see 'q leave'
    kill -$signal "$(child_of_shell)"
    gone 'q leave'
    keys "echo \"$signal: \$?\"" Enter
    see "$signal: 0"
done
# a crash of the lab's own leaves a usable terminal
lab ''
see 'q leave'
lab_process=$(child_of_shell)
kill -SEGV "$lab_process"
gone 'q leave'
keys 'stty -g > crashed; cmp before crashed && echo still-the-"same"' Enter
see 'still-the-same'
lab ''
see 'q leave'
lab_process=$(child_of_shell)
tm kill-server
tries=200
while [ -e "/proc/$lab_process" ] && ! grep -q '^State:.Z' "/proc/$lab_process/status"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "failed: the lab outlived its terminal"; exit 1; }
    sleep 0.05
done
