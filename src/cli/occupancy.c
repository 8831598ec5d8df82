// `occupancy`: how many blocks fit on an SM, which limit is met first, and what one more of something costs.
#include <string.h>

#include "cli/cli.h"
#include "model/gpus.h"

struct occupancy_request {
    uint32_t threads, registers, shared;
    const char *gpu_model;
    bool json;
};

static const struct cli_option occupancy_options[] = {
    CLI_OPTION_JSON(struct occupancy_request, json),
    {'t', "threads", "N", "threads of a block (default: 256)",
     CLI_TO_NUMBER(struct occupancy_request, threads, 1, GPU_BLOCK_THREADS, "1 to 1024 threads")},
    {'r', "registers", "N", "registers of a thread (default: 32); ptxas -v and bankshot check tell them",
     CLI_TO_NUMBER(struct occupancy_request, registers, 1, GPU_THREAD_REGISTERS, "1 to 255 registers")},
    {'s', "shared", "BYTES", "shared memory of a block, static and dynamic (default: 0)",
     CLI_TO_NUMBER(struct occupancy_request, shared, 0, 1 << 30, "a number of bytes")},
    {0, "gpu-model", "NAME", "the GPU (default: H200); 'all': each that the lab knows",
     CLI_TO_STRING(struct occupancy_request, gpu_model)},
    {0},
};

static json_t *share_json(const struct occupancy_share *share)
{
    return json_pack("{s:s, s:I, s:I, s:I}", "name", share->name, "sm", (json_int_t)share->sm, "block",
                     (json_int_t)share->block, "blocks", (json_int_t)share->blocks);
}

static json_t *occupancy_json(const struct gpu_profile *gpu, const struct occupancy_request *request)
{
    struct occupancy occupancy = occupancy_of(gpu, request->threads, request->registers, request->shared);
    struct occupancy_room room = occupancy_room_of(gpu, request->threads, request->registers, request->shared);
    json_t *shares = json_array();
    for (size_t i = 0; i < OCCUPANCY_RESOURCES; i++)
        json_array_append_new(shares, share_json(&occupancy.shares[i]));
    return json_pack("{s:s, s:I, s:I, s:f, s:s, s:o, s:{s:I, s:I, s:I, s:I}, s:I, s:I}", "gpu", gpu->name, "blocks",
                     (json_int_t)occupancy.blocks, "warps", (json_int_t)occupancy.warps, "occupancy",
                     occupancy.fraction, "limit", occupancy.limit, "shares", shares, "room", "registers",
                     (json_int_t)room.registers, "registers_for_one_more", (json_int_t)room.registers_more,
                     "shared_bytes", (json_int_t)room.shared_bytes, "shared_bytes_for_one_more",
                     (json_int_t)room.shared_bytes_more, "carve_out_bytes", (json_int_t)occupancy.carve_out, "l1_bytes",
                     (json_int_t)occupancy.l1_left);
}

static int print_all(const struct occupancy_request *request)
{
    json_t *all = json_array();
    if (!request->json)
        cli_print("%-10s %6s %6s %10s  %s\n", "GPU", "blocks", "warps", "occupancy", "limit");
    for (unsigned i = 0; gpu_profile_at(i); i++) {
        const struct gpu_profile *gpu = gpu_profile_at(i);
        struct occupancy occupancy = occupancy_of(gpu, request->threads, request->registers, request->shared);
        if (request->json)
            json_array_append_new(all, occupancy_json(gpu, request));
        else
            cli_print("%-10s %6u %6u %8.0f %%  %s\n", gpu->name, occupancy.blocks, occupancy.warps,
                      100 * occupancy.fraction, occupancy.limit);
    }
    if (request->json)
        cli_print_json(all);
    else
        json_decref(all);
    return CLI_PASSED;
}

static int run_occupancy(struct cli_call *call)
{
    const struct occupancy_request *request = call->request;
    if (request->gpu_model && strcmp(request->gpu_model, "all") == 0)
        return print_all(request);
    const struct gpu_profile *gpu = gpu_profile_find(request->gpu_model);
    if (!gpu)
        return cli_usage(call->command, "the model has no GPU '%s'; 'all' lists them", request->gpu_model);
    if (request->json) {
        cli_print_json(occupancy_json(gpu, request));
        return CLI_PASSED;
    }
    struct text out = {0};
    occupancy_print(gpu, request->threads, request->registers, request->shared, &out);
    cli_print_text(&out);
    return CLI_PASSED;
}

const struct cli_command cli_command_occupancy = {
    .name = "occupancy",
    .arguments = "",
    .summary = "How many blocks fit on an SM, and what one more register or KB costs",
    .description = "Blocks that each limit leaves room for, the limit that is met first, and how\n"
                   "far registers and shared memory may grow until there is a block less, or\n"
                   "have to shrink for one more. By the rules of NVIDIA's cuda_occupancy.h.",
    .options = occupancy_options,
    .request_size = sizeof(struct occupancy_request),
    .defaults = &(const struct occupancy_request){.threads = 256, .registers = 32},
    .run = run_occupancy,
};
