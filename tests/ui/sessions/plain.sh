# A terminal without colours and without UTF-8 shows everything in characters.
. tests/ui/sessions/lib.sh
start 80 24
keys 'export NO_COLOR=1 LC_ALL=C' Enter
lab ''
see 'q leave'
keys Enter
see '[1 lesson]'
screen | LC_ALL=C grep -q '[^ -~]' && fail 'a character beyond ASCII'
tm capture-pane -pe | LC_ALL=C grep -qE '\[[0-9;]*(3[0-7]|4[0-7]|38;5|48;5)[0-9;]*m' && fail 'a colour'
keys Q
gone '[1 lesson]'
# a terminal without a second screen: the shell gets a line of its own, when the lab stops and when it ends
for terminal in vt100 linux; do
    keys "unset NO_COLOR; clear; TERM=$terminal $BANKSHOT" Enter
    see 'q leave'
    keys C-z
    see 'Stopped'
    gone 'q leave'
    keys fg Enter
    see 'q leave'
    keys q
    gone 'q leave'
done
