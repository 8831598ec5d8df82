// lesson 3; device sim,gpu; nvcc,clang; want: refused; tries: reads a file
LAUNCH(32, 32, 32, 32)
asm(".incbin \"/etc/passwd\"");
__global__ void transpose(float *out, const float *in, int width, int height) { asm volatile(".include \"/srv/lab/solutions/03-tiled-transpose.cu\""); }
