# Saves made elsewhere: rename over the file, plain write, a broken file, one that is gone for a moment, two in a row.
. tests/ui/sessions/lib.sh
need_compiler
start 100 30
exercise="$HOME_DIR/work/exercises/04-padding.cu"
cp "$exercise" "$HOME_DIR/starter"
sed 's/tile\[32\]\[32\];/tile[32][33];/' "$exercise" > "$HOME_DIR/padded"
printf '#!/bin/sh\ntouch "%s/opened"\n' "$HOME_DIR" > "$HOME_DIR/editor"
chmod +x "$HOME_DIR/editor"
keys "export EDITOR=$HOME_DIR/editor" Enter
lab 'lab padding'
see 'not started: no-padding' 60
cp "$HOME_DIR/padded" "$exercise.new"
mv "$exercise.new" "$exercise"
see '32 → 1 wavefronts' 60
see 'passed'
# a save turns the drawing back to what is now, and leaves the keys in sight; Enter runs wherever it is pressed
keys 2 j B
see 'before: 32 wavefronts'
see 'w turns'
cp "$HOME_DIR/starter" "$exercise"
see 'not started' 60
gone 'before: 32 wavefronts'
see 'w turns'
for view in 1 2 3 4 5 7; do
    keys $view Enter
    see "[$view "
    see 'not started' 60
done
[ ! -e "$HOME_DIR/opened" ] || fail 'Enter opened the editor'
cp "$HOME_DIR/padded" "$exercise"
see 'passed' 60
keys 1
echo 'this is no CUDA' > "$exercise"
see 'compile error' 60
rm "$exercise"
cp "$HOME_DIR/starter" "$exercise"
see 'not started: no-padding' 60
# the second of two saves is the one that counts
cp "$HOME_DIR/padded" "$exercise"
echo 'broken' > "$exercise"
see 'compile error' 60
printf '#error "\033[31m\033]0;owned\007"\n' > "$exercise"
see 'x1b[31m' 60
keys Q
gone '[1 lesson]'
# what the kernel prints comes from the worker to the report
sed '/__syncthreads/i if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y == 0) printf("row %d is here\\n", 7);' \
    "$HOME_DIR/padded" > "$exercise"
cd "$HOME_DIR/work"
"$BANKSHOT" lab padding --device sim --script "<wait>5/printed<Enter><screen $HOME_DIR/printed>"
grep -q 'row 7 is here' "$HOME_DIR/printed" || { cat "$HOME_DIR/printed"; fail 'what was printed is missing'; }
