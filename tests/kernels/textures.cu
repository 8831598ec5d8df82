// Textures and surfaces as image processing uses them; tests/device/test_image_kernels.c has each one's reference in C.
#define PLACE                                                                                                          \
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;                          \
    if (x >= w || y >= h)                                                                                              \
        return;

#define KERNEL(name) extern "C" __global__ void name(cudaTextureObject_t t, float *out, int w, int h)

KERNEL(lookup) { PLACE out[y * w + x] = tex1D<float>(t, 0.3f * x + y); }
KERNEL(reverse) { PLACE out[y * w + x] = tex1Dfetch<float>(t, w * h - 1 - (y * w + x)); }
KERNEL(rotate)
{
    PLACE float u = x - w / 2 + 0.5f, v = y - h / 2 + 0.5f;
    out[y * w + x] = tex2D<float>(t, (0.8f * u - 0.6f * v) / w + 0.5f, (0.6f * u + 0.8f * v) / h + 0.5f);
}
KERNEL(convolve)
{
    PLACE float sum = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            sum += (2 - abs(i)) * (2 - abs(j)) * tex2D<float>(t, x + i + 0.5f, y + j + 0.5f);
    out[y * w + x] = sum / 16;
}
KERNEL(bilateral)
{
    PLACE float mid = tex2D<float>(t, x + 0.5f, y + 0.5f), sum = 0, weights = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            float value = tex2D<float>(t, x + i + 0.5f, y + j + 0.5f), apart = value - mid;
            float weight = 1 / (1 + i * i + j * j + 16 * apart * apart);
            sum += weight * value;
            weights += weight;
        }
    out[y * w + x] = sum / weights;
}
KERNEL(slice) { PLACE out[y * w + x] = tex3D<float>(t, x + 0.5f, y + 0.75f, 0.25f * (x + y)); }
KERNEL(layers)
{
    PLACE float sum = 0;
    for (int layer = 0; layer < 3; layer++)
        sum += (layer + 1) * tex2DLayered<float>(t, x + 0.5f, y + 0.5f, layer);
    out[y * w + x] = sum;
}
KERNEL(rows) { PLACE out[y * w + x] = tex1DLayered<float>(t, x + 0.5f, y); }
KERNEL(mirrored) { PLACE out[y * w + x] = tex2D<float>(t, (3 * x - w + 0.5f) / w, (y + 0.5f) / h); }
KERNEL(shifted) { PLACE out[y * w + x] = tex2D<float>(t, x + 3.5f, y - 1.5f); }
KERNEL(halved) { PLACE out[y * w + x] = tex2D<float>(t, 2 * x + 1, 2 * y + 1); }
KERNEL(sobel)
{
    PLACE int gx = 0, gy = 0;
    for (int k = -1; k <= 1; k++) {
        gx += (2 - abs(k)) * (tex2D<unsigned char>(t, x + 1.5f, y + k + 0.5f) - tex2D<unsigned char>(t, x - 0.5f, y + k + 0.5f));
        gy += (2 - abs(k)) * (tex2D<unsigned char>(t, x + k + 0.5f, y + 1.5f) - tex2D<unsigned char>(t, x + k + 0.5f, y - 0.5f));
    }
    out[y * w + x] = abs(gx) + abs(gy);
}
KERNEL(gathered)
{
    PLACE float4 of = tex2Dgather<float4>(t, x + 1, y + 1, 0);
    out[y * w + x] = fmaxf(fmaxf(of.x, of.y), fmaxf(of.z, of.w)) - of.w;
}
KERNEL(channels)
{
    PLACE float4 c = tex2DLod<float4>(t, x + 0.5f, y + 0.5f, 0);
    out[y * w + x] = 0.25f * c.x + 0.5f * c.y + 0.125f * c.z + c.w;
}
KERNEL(faces)
{
    PLACE float v[3] = {0, 0, 0};
    v[x % 3] = x / 3 % 2 ? -1 : 1;
    out[y * w + x] = texCubemap<float>(t, v[0], v[1], v[2]);
}
extern "C" __global__ void brighter(cudaSurfaceObject_t t, float *out, int w, int h)
{
    PLACE uchar4 c = surf2Dread<uchar4>(t, 4 * x, y);
    c.x += 1, c.w = c.y;
    surf2Dwrite(c, t, 4 * x, y);
    out[y * w + x] = c.x + c.z;
}
extern "C" __global__ void blurred(cudaSurfaceObject_t t, float *out, int w, int h)
{
    PLACE out[y * w + x] = surf2Dread<float>(t, 4 * (x - 1), y, cudaBoundaryModeClamp) + surf2Dread<float>(t, 4 * (x + 1), y, cudaBoundaryModeZero);
}
