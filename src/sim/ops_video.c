// Video instructions.
#include "sim/decode.h"

void sim_decode_video(struct decoder *d)
{
    decode_refuse(d, "video instructions are not supported");
}
