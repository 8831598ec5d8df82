// Doubles: a load may serve both half-warps at once, a store never does. (volatile keeps each access where it is.)
__device__ double out[64];

__global__ void doubles()
{
    __shared__ volatile double s[64], half[16], every[64];
    int t = threadIdx.x;
    s[t] = out[t];                   // 32 doubles side by side, stored ...
    s[t + 32] = out[t + 32];
    __syncthreads();
    double sum = s[t];               // ... and loaded
    sum += s[32 + t / 2];            // loaded: two lanes want the same double
    if (t % 2 == 0) {
        half[t / 2] = sum;           // 16 doubles side by side, stored by every second lane ...
        sum += s[t / 2];             // ... and loaded by every second lane
        every[t] = sum;              // every second double, stored ...
        sum += s[t];                 // ... and loaded
        out[t] = sum;
    }
}
