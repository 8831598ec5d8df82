// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: the puzzles as an X-macro: each access with its wavefronts, used once to count and once to store
#define PUZZLES(X)                                                       \
    X(1, "s[lane]")                                                      \
    X(2, "s[lane * 2]: two lanes for each even bank")                    \
    X(1, "s[lane * 3]: 3 is odd")                                        \
    X(8, "s[lane * 8]: four banks")                                      \
    X(4, "s[lane * 12]: as with 4, eight banks")                         \
    X(32, "s[lane * 32]: one bank")                                      \
    X(1, "s[lane * 33]")                                                 \
    X(1, "s[blockIdx.x]: one word for all")                              \
    X(1, "s[lane / 2]")                                                  \
    X(2, "s[lane % 2 * 32]: two words of bank 0")                        \
    X(1, "s[lane % 4 * 8]: four words, four banks")                      \
    X(4, "s[lane / 8 * 32 + lane % 8]: four rows in the same banks")     \
    X(1, "s[lane * 5 % 32 + lane % 3 * 32]: 5 is odd, rows do not count") \
    X(16, "if (lane < 16) s[lane * 32]")                                 \
    X(2, "if (lane % 2 == 0) s[lane * 2]: words 0, 4, ... 60")           \
    X(1, "s[lane % 8 * 4] = lane: eight words")                          \
    X(1, "((char *)s)[lane]: eight words")                               \
    X(2, "((float2 *)s)[lane]: a half-warp each")                        \
    X(4, "((float4 *)s)[lane]: a quarter-warp each")                     \
    X(8, "((float4 *)s)[lane * 2]: twice that")                          \
    X(2, "((float4 *)s)[blockIdx.x]: two quarter-warps each")            \
    X(4, "((float4 *)s)[lane * 9]: 9 is odd")                            \
    X(4, "((float4 *)s)[lane % 8 * 8 + (lane / 8 ^ lane % 8)]: swizzled") \
    X(32, "ldmatrix .x4, rows of 32 words: eight turns for each matrix") \
    X(4, "ldmatrix .x4, each row four words further on")

#define ONE(wavefronts, access) +1
static_assert(0 PUZZLES(ONE) == 25, "twenty-five puzzles");

__global__ void answers(int *out)
{
    if (threadIdx.x)
        return;

#define STORE(wavefronts, access) *out++ = wavefronts;
    PUZZLES(STORE)
}
