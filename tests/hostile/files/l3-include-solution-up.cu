// lesson 3; device sim,gpu; nvcc,clang; want: compile-error; tries: #include of the solution from where the hand-in lies
#include "../../../solutions/03-tiled-transpose.cu"
