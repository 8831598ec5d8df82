// The device's heap: what a thread gave back, another one may be given. No two of them share it.

//: scratch_of_threads 2 64 :
__global__ void scratch_of_threads(const int *in, int *out, int n)
{
    int count = threadIdx.x % 7 + 2, sum = 0;
    int *scratch = (int *)malloc(count * sizeof *scratch);
    for (int i = 0; i < count; i++)
        scratch[i] = in[threadIdx.x] * i;
    for (int i = count; i--;)
        sum += scratch[i * 5 % count];
    free(scratch);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

struct item {
    int value;
    item *next;
};

//: lists 2 64 :
__global__ void lists(const int *in, int *out, int n)
{
    item *head = nullptr;
    for (int i = 0; i < (int)threadIdx.x % 3 + 2; i++)
        head = new item{in[threadIdx.x] + i, head};
    int sum = 0;
    while (head) {
        item *done = head;
        sum = sum * 7 + head->value;
        head = head->next;
        delete done;
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

//: block_after_block 4 64 :
__global__ void block_after_block(const int *in, int *out, int n)
{
    __shared__ int *rows;
    if (threadIdx.x == 0)
        rows = new int[64];
    __syncthreads();
    rows[threadIdx.x] = in[threadIdx.x] + blockIdx.x;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = rows[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        delete[] rows;
}
