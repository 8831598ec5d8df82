# Kernels of no lesson in the lab: a shuffle reduction, a histogram, a stencil; keys to every view.
. tests/ui/sessions/lib.sh
need_compiler
# shows NAME TEXT: the saved screen has it
shows() { grep -qF -- "$2" "$HOME_DIR/$1" || { echo "no '$2' in $1:"; cat "$HOME_DIR/$1"; exit 1; }; }
# views FILE TRACE-OPTIONS: each view of a kernel as a saved screen
views() {
    file=$1
    shift
    "$BANKSHOT" lab "tests/kernels/$file" --device sim --script "<wait><screen $HOME_DIR/text>2<screen $HOME_DIR/banks>\
3<screen $HOME_DIR/sectors>4G<screen $HOME_DIR/step><size 80x60>5<screen $HOME_DIR/report><size 80x24>7<wait><screen $HOME_DIR/time>\
6<wait><screen $HOME_DIR/play><Esc>8<screen $HOME_DIR/occupancy>2B<screen $HOME_DIR/none>\
?<screen $HOME_DIR/help>q)<wait>\
<screen $HOME_DIR/block><size 41x11>2a<screen $HOME_DIR/asked>gj<screen $HOME_DIR/small><size 200x50><screen $HOME_DIR/large>" -- "$@"
    shows asked 'this kernel is your own'
    grep -qE '^ access 2 of [2-9] +now │ before *$' "$HOME_DIR/small" && grep -qE '^ ▸ +[0-9]+ [a-z].* │ ' "$HOME_DIR/small" || {
        echo 'the small list is garbled:'
        cat "$HOME_DIR/small"
        exit 1
    }
    shows large 'wavefronts each'
    shows text "bankshot trace tests/kernels/$file"
    shows text '✓ ran'
    shows report 'Counters, as compiled'
    shows report 'No hazards in the code as compiled'
    shows report 'modelled (H200)'
    ! grep -qF 'the size whose time' "$HOME_DIR/report" || fail 'a size, of a kernel of no lesson'
    shows time 'modelled'
    shows play '[6 play]'
    shows none 'save a change first '
    ! grep -qF 'next-lesson' "$HOME_DIR/help" || fail 'a next lesson, of a kernel of no lesson'
    shows occupancy '[8 '
    shows occupancy '256'
    shows block 'block 1,0,0'
}
views own_reduction.cu --grid 4 --block 256 --arg 'out:f32[4]=zero' --arg 'in:f32[1024]=iota' --arg n:s32=1024
shows banks 'partial[warp]'
shows sectors 'in[i]'
shows step 'partial'
grep -qE '^  shared memory +128 bytes' "$HOME_DIR/occupancy" || fail 'the kernel has shared memory'
views own_histogram.cu --grid 4 --block 256 --arg 'bins:u32[256]=zero' --arg 'data:u8[4096]=random' --arg n:s32=4096
shows banks 'atom 32-bit'
shows banks 'conflicts'
shows sectors 'data: 1 sector moves 32 bytes'
shows step 'count'
views own_stencil.cu --grid 4 --block 256 --arg 'out:f32[1024]=zero' --arg 'in:f32[1024]=random' --arg n:s32=1024
shows banks 'row[at]'
shows step 'row'
# a picture by line, warp and time
"$BANKSHOT" lab tests/kernels/own_histogram.cu --device sim --line 9 --warp 3 --time 2 --script \
    "<wait><screen $HOME_DIR/choice>" -- --grid 4 --block 256 --arg 'bins:u32[256]=zero' --arg 'data:u8[8192]=random' \
    --arg n:s32=8192
shows choice '[2 banks]'
shows choice 'warp 3/8  block 0,0,0  time 2/'
shows choice '▸    9 count[data[i]]'
# a place that is read, changed and written back wants an atomic, not a barrier
cat > "$HOME_DIR/update.cu" <<'EOF'
__global__ void histogram(unsigned *bins, const unsigned *data)
{
    __shared__ unsigned h[16];
    if (threadIdx.x < 16)
        h[threadIdx.x] = 0;
    __syncthreads();
    h[data[threadIdx.x] % 16]++;
    __syncthreads();
    if (threadIdx.x < 16)
        bins[threadIdx.x] = h[threadIdx.x];
}
EOF
"$BANKSHOT" lab "$HOME_DIR/update.cu" --device sim --script "<wait>5<screen $HOME_DIR/race>" -- --grid 1 --block 256 \
    --arg 'bins:u32[16]=zero' --arg 'data:u32[256]=random'
shows race 'fail: race'
shows race 'need an atomic'
# what the kernel wrote wrongly is the kernel's: neither usage nor a missing file opens a screen
"$BANKSHOT" lab tests/kernels/own_stencil.cu -- --grid 4 2> "$HOME_DIR/usage" && fail 'no block, and it runs'
shows usage '--block is missing'
"$BANKSHOT" lab nothing.cu -- --grid 4 --block 32 2> "$HOME_DIR/usage" && fail 'no file, and it runs'
shows usage "there is no file 'nothing.cu'"
