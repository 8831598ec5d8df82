// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: no loop: a generic lambda that is handed to itself, turns are types
LAUNCH(256, 1, 8192, 1)

template <int N>
struct Turn {
    static constexpr int value = N;
    static constexpr bool last = N == 7;
    using Next = Turn<N + 1>;
};

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192 + threadIdx.x * 4;
    float4 kept[8];

    auto forever = [](auto self, auto turn, auto &&act) -> void {
        using T = decltype(turn);
        act(turn);
        if constexpr (!T::last)
            self(self, typename T::Next{}, act);
    };
    auto each_turn = [&](auto &&act) { forever(forever, Turn<0>{}, act); };

    // Eight loads of 16 bytes are on their way before the first store.
    each_turn([&](auto turn) {
        constexpr int T = decltype(turn)::value;
        int i = start + T * 1024;
        float4 four = make_float4(0, 0, 0, 0);
        if (i + 3 < n) {
            const float4 &from = *reinterpret_cast<const float4 *>(in + i);
            four = make_float4(from.x, from.y, from.z, from.w);
        }
        kept[T] = four;
    });
    each_turn([&](auto turn) {
        constexpr int T = decltype(turn)::value;
        int i = start + T * 1024;
        if (i + 3 < n)
            *reinterpret_cast<float4 *>(out + i) = kept[T];
        else if (i < n)  // the one quad that the end cuts
            for (int j = i; j < n; ++j)
                out[j] = in[j];
    });
}
