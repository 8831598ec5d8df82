// 20 interleave. Solution.
LAUNCH(256, 1, 256, 1)

__global__ void interleave(float *out, const float *x, const float *y, int n)
{
    // One thread for each element of out: neighbouring lanes write neighbouring words. Half of the lanes read x and half
    // read y, each half 16 neighbours.
    int j = blockIdx.x * 256 + threadIdx.x;
    if (j < 2 * n)
        out[j] = j % 2 == 0 ? x[j / 2] : y[j / 2];
}
