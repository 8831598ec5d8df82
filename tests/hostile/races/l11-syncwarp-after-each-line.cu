// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: the old last-warp tree with one __syncwarp() after each part[t] += part[t + s] for all 32 lanes, within a line lane 0 reads part[s] while lane s writes it, and the sum depends on who is first
LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[256];
    int t = threadIdx.x, row = blockIdx.x;
    const float *begin = in + (long long)row * cols;

    float sum = 0.0f;
    if (cols % 4 == 0) {
        for (int i = t; i < cols / 4; i += 256) {
            float4 q = ((const float4 *)begin)[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = t; i < cols; i += 256)
            sum += begin[i];
    part[t] = sum;
    __syncthreads();
    if (t < 128)
        part[t] += part[t + 128];
    __syncthreads();
    if (t < 64)
        part[t] += part[t + 64];
    __syncthreads();

    if (t < 32) {
        part[t] += part[t + 32];
        __syncwarp();
        part[t] += part[t + 16];
        __syncwarp();
        part[t] += part[t + 8];
        __syncwarp();
        part[t] += part[t + 4];
        __syncwarp();
        part[t] += part[t + 2];
        __syncwarp();
        part[t] += part[t + 1];
    }
    if (t == 0)
        out[row] = part[0];
}
