# Saves made elsewhere: rename over the file, plain write, a broken file, one that is gone for a moment, two in a row.
. tests/ui/sessions/lib.sh
need_compiler
start 100 30
exercise="$HOME_DIR/work/exercises/04-padding.cu"
cp "$exercise" "$HOME_DIR/starter"
sed 's/tile\[32\]\[32\];/tile[32][33];/' "$exercise" > "$HOME_DIR/padded"
lab 'lab padding'
see 'not started: no-padding' 60
cp "$HOME_DIR/padded" "$exercise.new"
mv "$exercise.new" "$exercise"
see '32 → 1 wavefronts' 60
see 'passed'
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
