// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: a port from Kokkos: Views, a team member, scratch, nested parallel_for and a reducing lambda
namespace Kokkos
{
// A View of rank 2: LayoutRight, with a stride that is known or not.
template <typename T>
struct View {
    T *data;
    int extent0, extent1;
    __device__ T &operator()(int i, int j) const { return data[i * extent1 + j]; }
    __device__ bool contains(int i, int j) const { return i < extent0 && j < extent1; }
};
template <typename T, int N0, int N1>
struct ScratchView {
    T (&data)[N0][N1];
    __device__ T &operator()(int i, int j) const { return data[i][j]; }
};

struct TeamMember {
    __device__ int league_rank_x() const { return blockIdx.x; }
    __device__ int league_rank_y() const { return blockIdx.y; }
    __device__ int team_rank() const { return threadIdx.y; }
    __device__ int vector_rank() const { return threadIdx.x; }
    __device__ int team_size() const { return blockDim.y; }
    __device__ int vector_length() const { return blockDim.x; }
    __device__ void team_barrier() const { __syncthreads(); }
};

struct TeamThreadRange {
    const TeamMember &member;
    int end;
};
struct ThreadVectorRange {
    const TeamMember &member;
    int end;
};
template <typename F>
__device__ void parallel_for(TeamThreadRange range, F &&body)
{
    for (int i = range.member.team_rank(); i < range.end; i += range.member.team_size())
        body(i);
}
template <typename F>
__device__ void parallel_for(ThreadVectorRange range, F &&body)
{
    for (int i = range.member.vector_rank(); i < range.end; i += range.member.vector_length())
        body(i);
}
template <int N, typename F>
__device__ void serial_reduce(F &&body, float &result)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        body(i, result);
}
}  // namespace Kokkos

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    using namespace Kokkos;
    __shared__ __align__(16) float a_memory[32][32], b_memory[32][32];
    ScratchView<float, 32, 32> a_tile{a_memory}, b_tile{b_memory};
    View<const float> A{a, m, k}, B{b, k, n};
    View<float> C{c, m, n};
    TeamMember member;
    int row0 = member.league_rank_y() * 32, column0 = member.league_rank_x() * 32;

    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        parallel_for(TeamThreadRange{member, 32}, [&](int r) {
            parallel_for(ThreadVectorRange{member, 32}, [&](int q) {
                a_tile(r, q) = A.contains(row0 + r, k0 + q) ? A(row0 + r, k0 + q) : 0.0f;
                b_tile(r, q) = B.contains(k0 + r, column0 + q) ? B(k0 + r, column0 + q) : 0.0f;
            });
        });
        member.team_barrier();
        serial_reduce<32>(
            [&](int i, float &update) {
                update += a_tile(member.team_rank(), i) * b_tile(i, member.vector_rank());
            },
            sum);
        member.team_barrier();
    }

    int row = row0 + member.team_rank(), column = column0 + member.vector_rank();
    if (C.contains(row, column))
        C(row, column) = sum;
}
