// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: each block copies its range from both ends at once, until the two cursors meet in the middle
enum { THREADS = 256, RANGE = 8192 };
LAUNCH(THREADS, 1, RANGE, 1)

__global__ void __launch_bounds__(THREADS) copy(float *out, const float *in, int n)
{
    long long front = (long long)blockIdx.x * RANGE;
    long long back = front + RANGE - THREADS;
    const long long lane = threadIdx.x;

    while (front < back) {
        const long long low = front + lane, high = back + lane;
        float from_front = 0.0f, from_back = 0.0f;

        // Both loads first: neither has to wait for the other's store.
        if (low < n)
            from_front = __ldg(in + low);
        if (high < n)
            from_back = __ldg(in + high);

        if (low < n)
            out[low] = from_front;
        if (high < n)
            out[high] = from_back;

        front += THREADS;
        back -= THREADS;
    }
}
