// lesson 3; device sim,gpu; nvcc,clang; quick; want: compile-error; tries: #include of the solution by a relative path
#include "solutions/03-tiled-transpose.cu"
