// Plain loads before a compare-and-swap that do more than guess.

//: guess_that_is_kept 1 64 : atomic-race g s
__global__ void guess_that_is_kept(const int *in, int *out, int n)
{
    int old = out[0]; // @g
    atomicCAS(&out[0], old, old + 1); // @s
    out[1 + threadIdx.x] = old;
}

//: guess_that_decides 1 64 : atomic-race g s
__global__ void guess_that_decides(const int *in, int *out, int n)
{
    int old = out[0]; // @g
    if (old < in[threadIdx.x])
        atomicCAS(&out[0], old, in[threadIdx.x]); // @s
}

//: swap_that_does_not_ask 1 64 : atomic-race g s
__global__ void swap_that_does_not_ask(const int *in, int *out, int n)
{
    int old = out[0]; // @g
    atomicCAS(&out[0], in[0], old + 1); // @s
}

//: guess_of_another_place 1 64 : atomic-race g s
__global__ void guess_of_another_place(const int *in, int *out, int n)
{
    int old = out[1]; // @g
    atomicCAS(&out[threadIdx.x % 2], old, old + 1); // @s
}

//: guess_of_what_is_stored 1 64 : atomic-race s w
__global__ void guess_of_what_is_stored(const int *in, int *out, int n)
{
    int old = out[0], assumed;
    do {
        assumed = old;
        old = atomicCAS(&out[0], assumed, assumed + in[threadIdx.x]); // @s
    } while (assumed != old);
    if (threadIdx.x == 40)
        out[0] = 0; // @w
}

//: count_that_is_kept_small 1 64 : atomic-race g s
__global__ void count_that_is_kept_small(int *in, int *out, int n)
{
    if (in[0] < 10) // @g
        atomicAdd(&in[0], 1); // @s
}

//: smaller_ones_do_more 1 64 : atomic-race g s
__global__ void smaller_ones_do_more(int *in, int *out, int n)
{
    if ((int)threadIdx.x > in[0]) // @g
        atomicMax(&in[0], (int)threadIdx.x); // @s
    else
        out[1 + threadIdx.x] = 1;
}

//: late_ones_do_more 1 64 : atomic-race g s
__global__ void late_ones_do_more(int *in, int *out, int n)
{
    if (in[0] == 0) { // @g
        if (atomicCAS(&in[0], 0, 7) == 0) // @s
            out[0] = threadIdx.x;
        else
            out[1 + threadIdx.x] = 1;
    }
}
