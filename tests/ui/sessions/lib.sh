# What the sessions share: the lab in a tmux of its own, driven by keys and read off the screen. Waits by looking,
# never by sleeping a fixed time. Exit status 77 = skipped.
set -eu
BANKSHOT=${BANKSHOT:-build/bankshot}

skip() { echo "skipped: $1"; exit 77; }
command -v tmux >/dev/null || skip "no tmux"
[ -x "$BANKSHOT" ] || skip "no $BANKSHOT"
case $BANKSHOT in /*) ;; *) BANKSHOT=$PWD/$BANKSHOT ;; esac

HOME_DIR=$(mktemp -d "${TMPDIR:-/tmp}/bankshot-session.XXXXXX")
SOCKET=bankshot-session-$$
export XDG_STATE_HOME="$HOME_DIR/state" XDG_CACHE_HOME="$HOME_DIR/cache" LC_ALL=C.UTF-8
unset NO_COLOR BANKSHOT_THEME COLORFGBG VISUAL || true

# Leaks are looked for in the suites that run in one process: LeakSanitizer stops the dying lab by ptrace, and waits for
# ever when the lost terminal's SIGCONT comes in between.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}${ASAN_OPTIONS:+:}detect_leaks=0"

tm() { tmux -L "$SOCKET" -f /dev/null "$@"; }
# A lab that has left the screen may still be writing its state.
finish() {
    tm kill-server 2>/dev/null || true
    tries=100
    until rm -rf "$HOME_DIR" 2>/dev/null || [ $tries -eq 0 ]; do
        tries=$((tries - 1))
        sleep 0.05
    done
}
trap finish EXIT INT TERM

screen() { tm capture-pane -p; }
fail() { echo "failed: $1"; screen || true; exit 1; }
keys() { tm send-keys "$@"; }

# A slow build may take longer: as Check's own limits.
slower=${CK_TIMEOUT_MULTIPLIER:-1}
slower=${slower%%.*}

# see TEXT [SECONDS]: until the screen shows it
see() {
    tries=$((${2:-20} * 20 * slower))
    while ! screen | grep -qF -- "$1"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || fail "never saw '$1'"
        sleep 0.05
    done
}
# gone TEXT: until the screen no longer shows it
gone() {
    tries=$((400 * slower))
    while screen | grep -qF -- "$1"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || fail "'$1' never went away"
        sleep 0.05
    done
}
# start WIDTH HEIGHT: a shell in the workspace
start() {
    "$BANKSHOT" init "$HOME_DIR/work" >/dev/null
    tm new-session -d -x "$1" -y "$2" "cd '$HOME_DIR/work' && exec env PS1='ready\$ ' bash --norc"  || skip "tmux cannot open a terminal here"
    see 'ready$'
}
lab() { keys "$BANKSHOT $1" Enter; }
need_compiler() {
    command -v nvcc >/dev/null || command -v clang >/dev/null || ls /usr/bin/clang-* /usr/local/cuda/bin/nvcc >/dev/null 2>&1 || skip "no compiler"
}

# The process that the window's shell has started (ps is not everywhere).
child_of_shell() {
    shell=$(tm list-panes -F '#{pane_pid}')
    tr -d ' ' <"/proc/$shell/task/$shell/children"
}
