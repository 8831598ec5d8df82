// Divisions that only those make whose divisor is not 0.

//: asks_before 1 64 :
__global__ void asks_before(const int *in, int *out, int n)
{
    int t = threadIdx.x, others = t / 2;
    out[t] = others ? 1000 / others : 0;
}

//: leaves_before 1 64 :
__global__ void leaves_before(const int *in, int *out, int n)
{
    unsigned t = threadIdx.x, width = t % 5;
    if (width == 0 || t % width > 1)
        return;
    out[t] = 1;
}

//: at_least_one 1 64 :
__global__ void at_least_one(const int *in, int *out, int n)
{
    long long t = threadIdx.x;
    out[t] = (int)(t * 99 / max(t - 9, 1ll));
}
