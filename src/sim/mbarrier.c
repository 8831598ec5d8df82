// mbarriers in shared memory, bulk copies that complete on them, and the barrier of a cluster of one.
#include <stdlib.h>

#include "sim/decode.h"

void sim_bulk_land_exit(struct exec *x, uint32_t lanes)
{
    (void)x;
    (void)lanes;
}

void sim_block_async_reset(struct block *block)
{
    (void)block;
}

void sim_decode_mbarrier(struct decoder *d)
{
    decode_refuse(d, "not supported yet");
}

void sim_decode_bulk(struct decoder *d)
{
    decode_refuse(d, "not supported yet");
}
