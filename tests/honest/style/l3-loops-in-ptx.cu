// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: both loops written in PTX with labels of their own, a full barrier in between
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    const int tx = threadIdx.x, ty = threadIdx.y;

    {
        int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
        // Rows row, row + 8, ... of the tile that exist.
        int count = column < width && row < height ? min(4, (height - row + 7) / 8) : 0;
        asm volatile("{\n\t"
                     ".reg .pred more;\n\t.reg .f32 value;\n\t.reg .s32 left;\n\t.reg .u32 to;\n\t.reg .u64 from;\n\t"
                     "mov.s32 left, %0;\n\tmov.u32 to, %1;\n\tmov.u64 from, %2;\n\t"
                     "setp.gt.s32 more, left, 0;\n\t"
                     "@!more bra FILLED;\n"
                     "FILL:\n\t"
                     "ld.global.f32 value, [from];\n\t"
                     "st.shared.f32 [to], value;\n\t"
                     "add.s32 left, left, -1;\n\t"
                     "add.u32 to, to, 1056;\n\t"       // eight rows of 33 words
                     "add.u64 from, from, %3;\n\t"
                     "setp.gt.s32 more, left, 0;\n\t"
                     "@more bra FILL;\n"
                     "FILLED:\n\t"
                     "mov.s32 left, 0;\n\t"
                     "}"
                     :: "r"(count), "r"((unsigned)__cvta_generic_to_shared(&tile[ty][tx])),
                        "l"(__cvta_generic_to_global(in + (size_t)row * width + column)), "l"((long long)width * 32)
                     : "memory");
    }

    asm volatile("barrier.cta.sync.aligned 0;" ::: "memory");

    {
        int column = blockIdx.y * 32 + tx, row = blockIdx.x * 32 + ty;
        int count = column < height && row < width ? min(4, (width - row + 7) / 8) : 0;
        asm volatile("{\n\t"
                     ".reg .pred more;\n\t.reg .f32 value;\n\t.reg .s32 left;\n\t.reg .u32 from;\n\t.reg .u64 to;\n\t"
                     "mov.s32 left, %0;\n\tmov.u32 from, %1;\n\tmov.u64 to, %2;\n\t"
                     "setp.gt.s32 more, left, 0;\n\t"
                     "@!more bra EMPTIED;\n"
                     "EMPTY:\n\t"
                     "ld.shared.f32 value, [from];\n\t"
                     "st.global.f32 [to], value;\n\t"
                     "add.s32 left, left, -1;\n\t"
                     "add.u32 from, from, 32;\n\t"     // eight columns
                     "add.u64 to, to, %3;\n\t"
                     "setp.gt.s32 more, left, 0;\n\t"
                     "@more bra EMPTY;\n"
                     "EMPTIED:\n\t"
                     "mov.s32 left, 0;\n\t"
                     "}"
                     :: "r"(count), "r"((unsigned)__cvta_generic_to_shared(&tile[tx][ty])),
                        "l"(__cvta_generic_to_global(out + (size_t)row * height + column)), "l"((long long)height * 32)
                     : "memory");
    }
}
