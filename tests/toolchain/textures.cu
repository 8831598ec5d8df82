// Textures and surfaces: both compilers' headers must read and write the same.
__device__ void put(int *&out, float value)
{
    *out = __float_as_int(value);
    out += blockDim.x;
}
__device__ void put(int *&out, int value) { put(out, __int_as_float(value)); }
__device__ void put(int *&out, float4 v) { put(out, v.x + 3 * v.y + 5 * v.z + 7 * v.w); }

__global__ void language(int *out, cudaTextureObject_t line, cudaTextureObject_t plane, cudaTextureObject_t bytes,
                         cudaTextureObject_t space, cudaTextureObject_t cube, cudaTextureObject_t lines,
                         cudaTextureObject_t planes, cudaTextureObject_t words, cudaSurfaceObject_t s1,
                         cudaSurfaceObject_t s2, cudaSurfaceObject_t s3, cudaSurfaceObject_t layers)
{
    out += threadIdx.x;
    int t = threadIdx.x % 8, r = threadIdx.x / 8;
    float x = t + 0.25f, y = r + 0.5f, z = t * 0.5f;
    put(out, tex1D<float>(line, x) + 2 * tex1DLod<float>(line, y, 0.0f) + 3 * tex1DGrad<float>(line, z, 0.0f, 0.0f));
    put(out, tex2D<float4>(plane, x, y));
    put(out, tex2DLod<float4>(plane, y, x, 0));
    put(out, tex2DGrad<float4>(plane, z, y, make_float2(0, 0), make_float2(0, 0)));
    put(out, tex2Dgather<float4>(plane, x, y, 2));
    put(out, tex2Dgather<float4>(plane, x, y));
    uchar4 four;
    tex2D(&four, bytes, x, y);
    put(out, four.x + 3 * four.y + 5 * four.z + 7 * four.w);
    put(out, tex2D<unsigned char>(bytes, y, x) + 9 * tex2D<uchar2>(bytes, x, x).y);
    put(out, tex3D<float>(space, x, y, z) + 2 * tex3DLod<float>(space, y, x, z, 0));
    put(out, tex3DGrad<float>(space, x, y, z, make_float4(0, 0, 0, 0), make_float4(0, 0, 0, 0)));
    put(out, texCubemap<float>(cube, x - 3, y - 2, z) + 2 * texCubemapLod<float>(cube, y, -x, z, 0));
    put(out, tex1DLayered<float>(lines, x, r % 2) + 2 * tex1DLayeredLod<float>(lines, y, r % 3, 0));
    put(out, tex2DLayered<float>(planes, x, y, r % 3) + 2 * tex2DLayeredLod<float>(planes, y, x, 1, 0));
    put(out, tex1Dfetch<int>(words, t * 3 - 2) + 2 * (int)tex1Dfetch<unsigned int>(words, r));

    int a, b = t * 8 + r;
    short c;
    unsigned char d;
    surf1Dread(&a, s1, b * 4);
    surf1Dwrite(a + b, s1, b * 4);
    put(out, a + surf1Dread<int>(s1, b * 4));
    surf2Dread(&c, s2, t * 2, r);
    surf2Dwrite((unsigned char)b, s2, t * 2, r);
    surf2Dread(&d, s2, t * 2 + 1, r);
    put(out, c * 256 + d + surf2Dread<short>(s2, t * 2, r));
    put(out, surf2Dread<int>(s2, 400, r, cudaBoundaryModeZero) + surf2Dread<unsigned char>(s2, -5, -5, cudaBoundaryModeClamp) * 0);
    surf2Dwrite(b, s2, -4, r, cudaBoundaryModeZero);
    uint4 wide = surf3Dread<uint4>(s3, 0, t % 4, r % 4);
    put(out, (int)(wide.x + 3 * wide.y + 5 * wide.z + 7 * wide.w));
    put(out, (int)surf2DLayeredread<float2>(layers, t * 8, r % 4, r / 4).y);
    surf2DLayeredwrite(make_float2(t, r), layers, t * 8, r % 4, r / 4);
    put(out, surf2DLayeredread<float2>(layers, t * 8, r % 4, r / 4).x + 100 * surf2DLayeredread<float2>(layers, t * 8, r % 4, r / 4).y);
}
