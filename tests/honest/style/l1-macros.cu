// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: macros for everything, a LAUNCH line made of macros
#define THREADS 256
#define FLOATS (THREADS * 32)
#define OURS(i) ((i) < n)
LAUNCH(THREADS, 1, FLOATS, 1);

__global__ void copy(float *out, const float *in, int n)
{
#define TURN(t)                                                                                                        \
    {                                                                                                                  \
        int i = blockIdx.x * FLOATS + (t) * THREADS + threadIdx.x;                                                     \
        if (OURS(i))                                                                                                   \
            out[i] = in[i];                                                                                            \
    }
    for (int t = 0; t < 32; t += 4) {
        TURN(t) TURN(t + 1) TURN(t + 2) TURN(t + 3)
    }
}
