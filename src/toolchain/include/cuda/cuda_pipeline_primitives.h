// Asynchronous copies of one thread, for clang.
#ifndef BANKSHOT_PIPELINE_PRIMITIVES_H
#define BANKSHOT_PIPELINE_PRIMITIVES_H
#pragma clang system_header
#include <stdint.h> // the toolkit's header brings it

BANKSHOT_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zfill = 0)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    unsigned int shared = (unsigned int)__cvta_generic_to_shared(to), bytes = (unsigned int)(size - zfill);
    size_t global = __cvta_generic_to_global(from);
    if (size == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(global), "r"(bytes) : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(global), "r"(bytes) : "memory");
    else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(global), "r"(bytes) : "memory");
#else
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = i < size - zfill ? ((const char *)from)[i] : 0;
#endif
}
BANKSHOT_DEVICE void __pipeline_commit()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// the count is an immediate of the instruction; eight groups are more than anyone keeps in flight
#define __pipeline_wait_prior(n) bankshot_wait_prior((unsigned int)(n))
BANKSHOT_DEVICE void bankshot_wait_prior(unsigned int n)
{
    switch (n < 8 ? n : 8) {
    case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" ::: "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" ::: "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" ::: "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" ::: "memory"); break;
    case 5: asm volatile("cp.async.wait_group 5;" ::: "memory"); break;
    case 6: asm volatile("cp.async.wait_group 6;" ::: "memory"); break;
    case 7: asm volatile("cp.async.wait_group 7;" ::: "memory"); break;
    default: asm volatile("cp.async.wait_group 8;" ::: "memory"); break;
    }
}
#else
#define __pipeline_wait_prior(n) ((void)(n))
#endif

#endif
