# Open, read, edit, save: 32 wavefronts become 1 and the lesson passes; it is still passed after a new start.
. tests/ui/sessions/lib.sh
need_compiler
start 80 24
cat > "$HOME_DIR/editor" <<'EOF'
#!/bin/sh
for last; do :; done
sed -i 's/__shared__ float tile\[32\]\[32\];/__shared__ float tile[32][33];/' "$last"
EOF
chmod +x "$HOME_DIR/editor"
keys "export EDITOR=$HOME_DIR/editor" Enter
lab ''
see 'Padding'
keys /paddin Enter
see '▸  4'
keys Enter
see '[1 lesson]'
see 'All 32 lanes read one column' 60
# a wrong guess keeps the prompt: what is typed next is the next guess
keys a 99999 Enter
see 'look again  answer 1 of' 60
see 'you said 99999: which bank is asked for most different words?'
keys 32 Enter
see 'you said 32, the run counted 32 wavefronts' 60
keys q
see '[1 lesson]'
keys 2
see '[2 banks]'
keys j
see '31 conflicts'
see '32 │'
keys e
# from the save on: compile, run, check, screen
see '1 │     32' 10
see 'passed' 60
keys q
keys q
see 'q leave'
see 'passed'
keys q
gone 'q leave'
lab ''
see 'q leave'
see 'passed'
keys q
gone 'q leave'
