// lesson 1; device sim,gpu; nvcc; want: fail|timeout; tries: a bulk store to out may still be reading a warp's stage when the bulk load of the turn after next overwrites it: lane 0 never executes wait_group.read before the refill, only lane 1 waits, and only for its own shared-to-shared mirror of the same bytes, a different copy. Any n >= 516 (a warp with a third turn); wrong whenever the mirror is done before the store has read its kilobyte.
// 01 coalescing: the floats take the copy engine both ways, a kilobyte a turn and warp.
LAUNCH(256, 1, 8192, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define WAIT(bar, parity)                                                                          \
    for (unsigned over = 0; !over;)                                                                \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"  \
                 "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(bar)), "r"(parity) : "memory")
#define EXPECT(bar, bytes)                                                                         \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(bar)), "r"(bytes) : "memory")

__global__ void __cluster_dims__(1, 1, 1) copy(float *out, const float *in, int n)
{
    __shared__ __align__(128) float stage[8][2][256], mirror[8][256];
    __shared__ unsigned long long full[8][2], seen[8];

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = blockIdx.x * 8192 + warp * 1024;  // a warp's four turns follow one another

    if (lane == 0) {
        for (int s = 0; s < 2; s++)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&full[warp][s])) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&seen[warp])) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncwarp();

    // Whole quads of a turn; what is left over behind the last of them goes by hand.
    auto bytes = [&](int turn) { return max(0, min(256, n - first - turn * 256)) / 4 * 16; };
    auto bring = [&](int turn) {
        int size = bytes(turn);
        if (lane == 0 && size > 0) {
            EXPECT(&full[warp][turn & 1], size);
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                         ::"r"(AT(stage[warp][turn & 1])), "l"(__cvta_generic_to_global(in + first + turn * 256)),
                         "r"(size), "r"(AT(&full[warp][turn & 1])) : "memory");
        }
    };
    bring(0);
    bring(1);
    for (int turn = 0; turn < 4; turn++) {
        int s = turn & 1, size = bytes(turn);
        if (size > 0) {
            WAIT(&full[warp][s], turn >> 1 & 1);
            if (lane == 0)  // on its way out
                asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\t"
                             "cp.async.bulk.commit_group;"
                             ::"l"(__cvta_generic_to_global(out + first + turn * 256)), "r"(AT(stage[warp][s])),
                             "r"(size) : "memory");
            __syncwarp();
            if (lane == 1) {  // once this copy has read the stage, the stage is free
                EXPECT(&seen[warp], size);
                asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                             ::"r"(AT(mirror[warp])), "r"(AT(stage[warp][s])), "r"(size), "r"(AT(&seen[warp])) : "memory");
            }
            WAIT(&seen[warp], turn & 1);
            __syncwarp();
        }
        if (turn < 2)
            bring(turn + 2);
        int rest = first + turn * 256 + size / 4 + lane;
        if (size < 1024 && rest < n && rest < first + turn * 256 + 256 && lane < 4)
            out[rest] = in[rest];
    }
    if (lane == 0)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
