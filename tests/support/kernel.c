#include "kernel.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static void write_module(const struct kernel *kernel, struct text *text)
{
    text_puts(text, ".version 8.5\n.target sm_90\n.address_size 64\n");
    text_puts(text, kernel->before ? kernel->before : "");
    text_puts(text, "\n.visible .entry kernel(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
                    ".reg .pred %p<32>; .reg .b16 %h<64>; .reg .b32 %r<128>; .reg .f32 %f<64>; .reg .b64 %rd<64>;\n"
                    ".reg .f64 %d<32>;\n"
                    "ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out]; ld.param.u32 %r0, [n];\n"
                    "mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.u32 %r2, %r3, %r4, %r1;\n"
                    "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd2, %rd0, %rd4; add.s64 %rd3, %rd1, %rd4;\n");
    text_puts(text, kernel->body);
    text_puts(text, "\nret;\n}\n");
}

static enum status run_program(struct kernel *kernel, const struct sim_program *program, struct sim_memory *memory)
{
    struct sim_allocation *in = sim_memory_add(memory, "in", kernel->in_size, false);
    struct sim_allocation *out = sim_memory_add(memory, "out", kernel->out_size, kernel->track);
    if (kernel->in_size)
        memcpy(in->data, kernel->in, kernel->in_size);
    if (kernel->out_size && !kernel->track)
        memcpy(out->data, kernel->out, kernel->out_size);
    struct {
        uint64_t in, out;
        uint32_t n;
    } params = {in->address, out->address, kernel->n};
    struct sim_launch launch = {
        .program = program,
        .memory = memory,
        .shape.grid = {kernel->grid ? kernel->grid : 1, 1, 1},
        .shape.block = {kernel->block ? kernel->block : SIM_LANES, 1, 1},
        .shape.dynamic_shared = kernel->dynamic_shared,
        .params = &params,
        .budget = kernel->budget,
        .schedule = kernel->schedule,
        .seed = kernel->seed,
        .host_threads = kernel->host_threads,
        .observers = kernel->observers,
        .observer_count = kernel->observer_count,
        .counts = kernel->counts,
        .print = kernel->print,
        .print_context = kernel->print_context,
        .cancel = kernel->cancel,
    };
    enum status status = sim_run(&launch, &kernel->result, &kernel->diagnostic);
    if (kernel->out_size)
        memcpy(kernel->out, out->data, kernel->out_size);
    return status;
}

enum status kernel_run(struct kernel *kernel)
{
    struct text text = {0};
    struct ptx_module *module = NULL;
    struct sim_program *program = NULL;
    struct sim_memory *memory = sim_memory_new();
    const struct ptx_function *entry;
    write_module(kernel, &text);
    enum status status = ptx_parse("test.ptx", text_get(&text), text.length, &module, &kernel->diagnostic);
    if (status != STATUS_OK)
        goto out;
    status = ptx_find_entry(module, "kernel", &entry, &kernel->diagnostic);
    if (status != STATUS_OK)
        goto out;
    status = sim_program_new(module, entry, memory, &program, &kernel->diagnostic);
    if (status != STATUS_OK)
        goto out;
    status = run_program(kernel, program, memory);
out:
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    text_free(&text);
    return status;
}
