// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: Fortran veteran: DO macros, statement labels with GOTO, indices from 1, a strip walked from its end
LAUNCH(256, 1, 8192, 1)

#define SUBROUTINE __global__ void
#define INTEGER int
#define REAL float
#define DO(i, from, to, step) for (i = (from); (step) > 0 ? i <= (to) : i >= (to); i += (step))
#define END_DO
// Arrays begin at 1, as they should.
#define IN(i) in[(i) - 1]
#define OUT(i) out[(i) - 1]

SUBROUTINE copy(float *out, const float *in, int n)
{
    INTEGER ITHR, IBLK, ISTRIP, I, IFIRST;
    REAL T;
    ITHR = threadIdx.x + 1;
    IBLK = blockIdx.x + 1;
    IFIRST = (IBLK - 1) * 8192;
    /* C     STRIPS OF 256, THE LAST ONE FIRST */
    DO(ISTRIP, 32, 1, -1) {
        I = IFIRST + (ISTRIP - 1) * 256 + ITHR;
        if (I > n) goto L100;
        T = IN(I);
        OUT(I) = T;
L100:   continue;
    } END_DO
}
#undef DO
