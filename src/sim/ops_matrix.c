// Matrices spread over a warp: ldmatrix, stmatrix, movmatrix, mma, wmma.
#include "sim/decode.h"

void sim_decode_matrix(struct decoder *d)
{
    decode_refuse(d, "not supported yet");
}
