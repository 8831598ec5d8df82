// Programs whose lanes part in the ways that programs do: loops with several ways out and back, short-circuit conditions, gotos,
// returns, tables, walks and searches. tests/golden/h200_divergence.csv has what an H200 counts, and how each was launched.

namespace in_brk_cont_ret {
// for loops left by break, continue and return in every combination
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void brk_cont_ret(unsigned* out, const unsigned* in, int n)
{
    fill(in);
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = L(g * 5);
    unsigned acc = 0;
    for (int i = 0; i < n; ++i) {
        unsigned v = L(a + i * 3);
        if ((v & 7) == 0) continue;
        if ((v & 31) == 5) break;
        acc += v;
        if ((v & 63) == 33) {
            out[g] = acc ^ L(acc);
            return;
        }
        for (unsigned j = v & 3; j < 6; ++j) {
            unsigned u = L(v + j);
            if (u & 4) {
                acc ^= L(u >> 5);
                continue;
            }
            if ((u & 24) == 24) {
                acc += L(u >> 9);
                break;
            }
            if ((u & 0x1e0) == 0x60) {
                out[g] = acc + L(u + 1);
                return;
            }
            acc -= u;
        }
        if (acc & 1) acc += L(acc >> 7);
        else continue;
        a ^= L(a >> 3);
    }
    out[g] = acc + L(a);
}
}
#undef L

namespace in_bsearch_gallop {
// binary searches in a sorted table: early exit on a match, lower bound, and galloping then bisecting
__shared__ unsigned s[1024];
#define L(i) s[(i) & 1023]
extern "C" __global__ void bsearch_gallop(unsigned* out, const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = (unsigned)i << 10 | (in[i] & 0x3ff);
    __syncthreads();
    unsigned key = in[threadIdx.x * 5 & 1023] >> 12, acc = 0;
    int lo = 0, hi = 1023, at = -1;
    while (lo <= hi) {
        int m = (lo + hi) >> 1;
        unsigned v = s[m] & ~0x3fu;
        if (v == (key & ~0x3fu)) {
            at = m;
            break;
        }
        if (v < key) {
            lo = m + 1;
            acc += v & 0x40 ? L(m + 1) : 1;
        } else hi = m - 1;
    }
    if (at < 0) acc += L(lo);
    unsigned key2 = in[threadIdx.x * 3 + 1 & 1023] & 0xfffff;
    int step = 1, pos = (int)(key >> 10);
    if (s[pos] < key2) {
        while (pos + step < 1024 && s[pos + step] < key2) {
            pos += step;
            step <<= 1;
        }
        lo = pos;
        hi = min(pos + step, 1024);
    } else {
        while (pos - step >= 0 && s[pos - step] >= key2) {
            pos -= step;
            step *= 2;
        }
        lo = pos - step;
        hi = pos;
        if (lo < -1) lo = -1;
    }
    while (hi - lo > 1) {
        int m = lo + hi >> 1;
        if (s[m] < key2) lo = m;
        else hi = m;
    }
    unsigned base = 0;
    for (unsigned len = 1 + (key2 & 1023); len > 1;) {     // branchless style with unequal lengths
        unsigned half = len >> 1;
        base += s[base + half - 1 & 1023] < key ? half : 0;
        len -= half;
    }
    out[threadIdx.x] = acc + at + hi * 2048 + base;
}
}
#undef L

namespace in_bytecode_vm {
// a bytecode interpreter: program in the table, registers in a local array, jumps, calls and halt
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void bytecode_vm(unsigned* out, const unsigned* in)
{
    fill(in);
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r[4] = {g, g * 3 + 1, 7, 0};
    unsigned pc = g * 6 & 1023, ret = 0;
    int fuel = 50;
    bool run = true;
    while (run) {
        unsigned op = s[pc & 1023];
        ++pc;
        if (--fuel == 0) break;
        unsigned& d = r[op >> 4 & 3];
        const unsigned a = r[op >> 6 & 3];
        switch (op & 15) {
        case 0:
        case 1: d += a; break;
        case 2: d ^= L(a); break;
        case 3: d = L(a + pc); break;
        case 4: if (a & 1) pc = op >> 20; continue;
        case 5: if (!(a & 4)) break; pc += op >> 28; continue;
        case 6: ret = pc; pc = op >> 18; break;
        case 7: if (ret) { pc = ret; ret = 0; } break;
        case 8:
            while (d & 3) d = (d >> 2) ^ (L(d) >> 31 & d >> 3);
            break;
        case 9: d = a * 5; // fall through
        case 10: d += op >> 16; break;
        case 11: if ((op >> 8 & 7) == 5) run = false; break;
        case 12: {
            unsigned k = a & 7;
            do d += L(d + k); while (k--);
            break;
        }
        case 13: if (d > a) { unsigned t = d; d = a; r[op >> 6 & 3] = t; } break;
        default: --d;
        }
    }
    out[g] = r[0] + r[1] + r[2] + r[3] + (unsigned)fuel;
}
}
#undef L

namespace in_collatz {
// Collatz with different trip counts, first one number a lane, then lanes that refill themselves as they finish
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void collatz(unsigned* out, const unsigned* in)
{
    fill(in);
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = (L(g * 5) & 1023) + 1, acc = 0, steps = 0;
    while (x != 1) {
        if (x & 1) {
            x = 3 * x + 1;
            acc += L(x);
        }
        x >>= 1;
        if (++steps >= 200) break;
    }
    int left = 4;
    x = L(g) & 255;
    for (;;) {
        if (x <= 1) {
            acc ^= L(acc);
            if (left-- == 0) break;
            x = L(g * 3 + left) >> 24;
            continue;
        }
        if (++steps > 600) break;
        if (x & 1) {
            x = x * 3 + 1;
            continue;
        }
        x >>= 1;
        if ((x & 3) == 2) acc += L(x >> 1);
    }
    out[g] = acc + steps;
}
}
#undef L

namespace in_dowhile_cont {
// do-while loops where continue jumps to the condition, which itself loads
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void dowhile_cont(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned x = L(threadIdx.x * 3 + 1), acc = 0;
    int left = 20;
    do {
        unsigned v = L(x + left);
        if (v & 1) {
            acc += v >> 3;
            continue;
        }
        acc ^= L(v >> 2);
        if ((v & 6) == 6) {
            x ^= L(v >> 12);
            continue;
        }
        int t = v >> 30;
        do {
            unsigned u = L(v + t * 19);
            if (u & 0x40) continue;
            acc += u;
            if (u & 0x80) break;
            acc -= L(u >> 8);
        } while (t-- > 0);
        x += 3;
    } while (--left > 0 && (L(acc) & 15) != 2);
    do acc += L(acc ^ left);
    while ((acc & 3) != 0 && ++left < 30);
    out[threadIdx.x] = acc + left;
}
}
#undef L

namespace in_early_returns {
// returns at several depths of nested ifs and a loop
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void early_returns(unsigned* out, const unsigned* in)
{
    fill(in);
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = L(g * 3), acc = L(a);
    if (a & 1) {
        unsigned b = L(a >> 1);
        if (b & 1) {
            if (L(b >> 1) & 1) {
                out[g] = L(b >> 2);
                return;
            }
            acc += L(b >> 3);
            if (b & 0x30) {
                if ((b & 0x30) == 0x10) return;
                acc ^= L(b >> 4);
            } else {
                out[g] = acc;
                return;
            }
        } else if (b & 2) {
            acc -= L(b >> 5);
        } else {
            for (int i = 0; i < 8; ++i) {
                unsigned c = L(b + i);
                if ((c & 7) == 1) {
                    out[g] = acc + c;
                    return;
                }
                if ((c & 7) == 2) break;
                acc += L(c >> 4);
            }
        }
        acc += L(acc >> 1);
    } else {
        if ((a & 6) == 4) return;
        acc += L(a >> 7);
        if (acc & 8) {
            acc ^= L(acc >> 4);
            if (acc & 16) {
                out[g] = acc + L(acc);
                return;
            }
            acc += L(acc >> 5);
        }
    }
    acc += L(acc >> 6);
    if (threadIdx.x >= 64 && acc & 1) return;
    out[g] = acc ^ L(acc >> 2);
}
}
#undef L

namespace in_endless_breaks {
// while(true) with four ways out, then an endless for nested in another
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void endless_breaks(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned x = L(threadIdx.x * 7), acc = 0, fuel = 40 + (x >> 28);
    while (true) {
        unsigned v = L(x);
        if (fuel-- == 0) break;
        if ((v & 15) == 3) {
            acc += L(v >> 4);
            if (v & 0x100) break;
            acc ^= L(v >> 8);
        }
        x = x * 1664525u + v;
        if ((x >> 24) == 17) {
            acc -= L(x >> 12);
            break;
        }
        if (v & 0x10000) {
            x += L(v >> 17);
            if ((x & 0xf000) == 0x5000) break;
        }
        acc += x;
    }
    acc += L(acc);
    unsigned outer = 0;
    for (;;) {
        unsigned w = L(acc + outer), k = w & 7;
        for (;;) {
            unsigned u = L(w + k);
            if (k == 0) break;
            --k;
            if ((u & 3) == 1) continue;
            acc ^= u;
            if ((u & 0x70) == 0x30) goto fin;
        }
        if (++outer >= (acc & 7) + 2) break;
        acc += L(w >> 10);
    }
fin:
    out[threadIdx.x] = acc + L(outer);
}
}
#undef L

namespace in_gcd_mix {
// greatest common divisors by remainder, subtraction and Stein's method, chosen lane by lane
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void gcd_mix(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned acc = 0;
    for (int k = 0; k < 3; ++k) {
        unsigned a = (L(threadIdx.x * 7 + k) >> 8) | 1, b = (L(threadIdx.x * 3 + k * 5) >> 12) + 1;
        switch ((a >> 3) % 3) {
        case 0:
            while (b) {
                unsigned t = a % b;
                a = b;
                b = t;
                acc += L(t);
            }
            break;
        case 1: {
            a = (a & 255) + 1;
            b = (b & 255) + 1;
            while (a != b) {
                if (a > b) {
                    a -= b;
                    if (a & 1) acc ^= L(a);
                } else {
                    b -= a;
                    if (b & 2) acc += L(b + 1);
                }
            }
            break;
        }
        default: {
            int shift = 0;
            while (((a | b) & 1) == 0) {
                a >>= 1;
                b >>= 1;
                ++shift;
            }
            while ((a & 1) == 0) a >>= 1;
            do {
                while ((b & 1) == 0) {
                    b >>= 1;
                    acc += L(b);
                }
                if (a > b) {
                    unsigned t = a; a = b; b = t;
                    acc ^= L(t >> 2);
                }
                b -= a;
            } while (b);
            a <<= shift;
        }
        }
        acc += L(a + k);
    }
    out[threadIdx.x] = acc;
}
}
#undef L

namespace in_goto_nested {
// three nested loops with labelled exits to different levels
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void goto_nested(unsigned* out, const unsigned* in, int n)
{
    fill(in);
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned acc = L(g), hit = 0;
    for (int i = 0; i < n; ++i) {
        unsigned a = L(acc + i);
        for (int j = 0; j < (int)(a & 7); ++j) {
            unsigned b = L(a + j * 11);
            if ((b & 15) == 9) goto next_i;
            for (int k = n; k > (int)(b & 3); --k) {
                unsigned c = L(b ^ k * 37);
                if ((c & 31) == 4) goto next_j;
                if ((c & 127) == 77) goto next_i;
                if ((c & 255) == 130) goto found;
                acc += c;
                if ((c & 63) == 50) goto tail;
            }
            acc ^= L(b >> 10);
        next_j:
            acc += L(acc >> 9);
        }
        hit += L(a >> 20) & 1;
    next_i:
        acc = acc * 5 + 1;
    }
    acc += L(acc >> 5);
    goto fin;
found:
    acc ^= L(acc >> 11);
    hit |= 0x100;
tail:
    acc -= L(acc >> 13);
    if (hit & 1) goto fin;
    hit += L(hit);
fin:
    out[g] = acc + hit + L(acc);
}
}
#undef L

namespace in_hash_probe {
// hash look-ups that retry on collision: linear, quadratic and double hashing, with tombstones
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void hash_probe(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned acc = 0;
    for (int k = 0; k < 6; ++k) {
        unsigned key = L(threadIdx.x * 5 + k * 97) * 2654435761u;
        unsigned h = key >> 22, step = (key & 62) | 1;
        int tries = 0;
        bool ok = false;
        for (;;) {
            unsigned e = s[h];
            if ((e & 7) == 0) break;                     // empty
            if ((e & 7) != 1) {                          // not a tombstone
                if (((e ^ key) & 0xf00) == 0) {
                    ok = true;
                    break;
                }
                if (e & 0x8000 && L(e >> 16) & 1) {      // overflow chain
                    h = e >> 20 & 1023;
                    if (++tries > 20) break;
                    continue;
                }
            }
            if (++tries > 24) goto give_up;
            if (k < 2) h = h + 1 & 1023;
            else if (k < 4) h = h + tries * tries & 1023;
            else h = h + step & 1023;
        }
        if (ok) acc += L(h + 1);
        else acc ^= L(h ^ k);
        continue;
    give_up:
        acc += L(tries);
        if (acc & 1) break;
    }
    out[threadIdx.x] = acc;
}
}
#undef L

namespace in_lane_queue {
// each lane works off a small ring queue of its own, pushing zero to two successors per item
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void lane_queue(unsigned* out, const unsigned* in)
{
    __shared__ unsigned short q[8][64];
    fill(in);
    const unsigned t = threadIdx.x;
    unsigned acc = 0, head = 0, tail = 0;
    int budget = 30;
    q[tail++ & 7][t] = (unsigned short)L(t * 15);
    while (head != tail && budget-- > 0) {
        unsigned x = q[head++ & 7][t];
        unsigned v = L(x);
        if ((v & 7) == 7) {
            acc += L(v >> 3);
            continue;
        }
        acc ^= v;
        if (v & 8 && tail - head < 8) {
            q[tail++ & 7][t] = (unsigned short)(v >> 10);
            if (v & 0x10) {
                if (tail - head >= 8) break;
                q[tail++ & 7][t] = (unsigned short)(v >> 16);
            }
        } else if (head == tail) {
            if (acc & 1) break;
            q[tail++ & 7][t] = (unsigned short)L(acc);
        }
        acc += L(acc >> 7);
    }
    while (head != tail) acc += q[head++ & 7][t] & 1 ? L(acc) : 3;
    out[t] = acc + budget;
}
}
#undef L

namespace in_list_walk {
// linked lists in the table: walk to a sentinel, tortoise and hare, and a list walk with a nested sublist
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void list_walk(unsigned* out, const unsigned* in)
{
    fill(in);
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned p = g * 4 & 1023, acc = 0, n = 0;
    while (p != 0) {
        unsigned v = s[p];
        p = v & 1023;
        if ((v >> 27) == 3) p = 0;
        acc += v >> 10;
        if (++n > 48) break;
    }
    unsigned slow = g * 7 & 1023, fast = slow;
    do {
        slow = s[slow] & 1023;
        fast = s[fast] & 1023;
        fast = s[fast] & 1023;
    } while (slow != fast);
    unsigned len = 1;
    for (fast = s[slow] & 1023; fast != slow; fast = s[fast] & 1023) {
        ++len;
        if (fast & 1) acc ^= s[fast ^ 1];
    }
    p = acc & 1023;
    for (n = 0; n < 12; ++n) {
        unsigned v = s[p];
        if (v & 0x80000000u) {
            unsigned q = v >> 11 & 1023;
            while ((q & 3) != 0 && q != p) {
                acc += q;
                q = (s[q] >> 5 & 1023) & (q - 1);
            }
            if (q == p) break;
        }
        p = v & 1023;
    }
    out[g] = acc + len * 1000 + n;
}
}
#undef L

namespace in_mandel_int {
// fixed-point Mandelbrot with a palette load inside the loop, escape in the middle, and a periodicity check
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void mandel_int(unsigned* out, const unsigned* in, int maxit)
{
    fill(in);
    const unsigned r = L(threadIdx.x * 2 + 1);
    const int cx = (int)(r & 0x3fff) - 0x2800, cy = (int)(r >> 16 & 0x1fff) - 0x1000;   // 12 fraction bits
    int zx = 0, zy = 0, px = 0x7fff, py = 0x7fff, it = 0, check = 3;
    unsigned acc = 0;
    while (it < maxit) {
        int xx = zx * zx >> 12, yy = zy * zy >> 12;
        if (xx + yy > 4 << 12) break;
        zy = (zx * zy >> 11) + cy;
        zx = xx - yy + cx;
        ++it;
        if ((zx ^ zy) & 64) acc += L(zx + it);
        if (zx == px && zy == py) {
            acc ^= L(it);
            it = maxit;
            continue;
        }
        if (it == check) {
            px = zx;
            py = zy;
            check *= 2;
            acc += L(zy);
        }
    }
    if (it < maxit) acc += L(it * 16);
    else if (zx > 0) acc -= L(zx);
    out[threadIdx.x] = acc * 64 + it;
}
}
#undef L

namespace in_mid_exit {
// loops whose only exit is in the middle, work on both sides of it
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void mid_exit(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned x = L(threadIdx.x * 11), acc = 0;
    int n = x >> 27;
    for (;;) {
        acc += L(x + n);
        if (acc & 1) acc ^= L(acc >> 3);
        if (n-- <= 0) break;
        x = x * 69069u + 1;
        if (x & 0x8000) acc += L(x >> 16);
    }
    int m = (L(acc) & 15) + 1;
    while (1) {
        unsigned v = L(acc + m);
        int k = v & 3;
        while (1) {
            acc += L(v >> k);
            if (k == 0) break;
            acc ^= L(acc >> 11);
            --k;
        }
        if (--m == 0) break;
        if (v & 8) {
            acc += L(v >> 13);
            if (m > 4) m -= 2;
        }
    }
    for (n = 0;; ++n) {
        unsigned v = L(n * n + acc);
        if (n > 3) {
            if ((v & 3) == 0 || n > 14) break;
            acc += L(v >> 5);
        }
        acc += v;
    }
    out[threadIdx.x] = acc;
}
}
#undef L

namespace in_noinline_arms {
// functions that are not inlined, called in divergent arms, in loops and from each other
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
__device__ __noinline__ unsigned leaf(unsigned x)
{
    unsigned v = L(x);
    if (v & 1) return v + L(v >> 1);
    unsigned r = 0;
    for (unsigned i = 0; i < (v & 6); ++i) r += L(v + i * 3);
    return r;
}
__device__ __noinline__ unsigned twice(unsigned x, int k)
{
    if (x & 0x10) return leaf(x + k) ^ L(k);
    unsigned a = leaf(x >> 3);
    while (k-- > 0) {
        a += L(a >> 5);
        if ((a & 15) == 3) return a;
        if (a & 0x20) a ^= leaf(a);
    }
    return a;
}
extern "C" __global__ void noinline_arms(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned x = L(threadIdx.x * 17), acc = 0;
    if (x & 1) acc = leaf(x >> 1);
    else if (x & 2) acc = twice(x >> 2, 3);
    else acc = L(x >> 3);
    for (int i = 0; i < (int)(x >> 28) + 1; ++i) {
        unsigned v = L(acc + i);
        switch (v & 3) {
        case 0: acc += leaf(v); break;
        case 1: acc ^= twice(v, i & 3); break;
        case 2:
            if (v & 0x100) continue;
            acc -= L(v >> 2);
        case 3: acc += 5; break;
        }
        if ((acc & 0x1f) == 0x11) break;
        acc += L(acc >> 8);
    }
    if (acc & 4) acc += twice(acc, 1);
    out[threadIdx.x] = acc;
}
}
#undef L

namespace in_raymarch {
// integer ray march through a 32x32 grid: early out at walls, one bounce, shadow ray
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void raymarch(unsigned* out, const unsigned* in)
{
    fill(in);
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned r = L(g * 8 + 1);
    int x = (r & 31) << 8, y = (r >> 5 & 31) << 8;
    int dx = (int)(r >> 10 & 511) - 256, dy = (int)(r >> 19 & 511) - 256;
    if (dx == 0 && dy == 0) dx = 64;
    unsigned light = 0;
    int bounce = 0;
    for (int i = 0; i < 80; ++i) {
        x += dx;
        y += dy;
        if ((unsigned)x >= 32u << 8 || (unsigned)y >= 32u << 8) break;
        unsigned c = s[(y >> 8) * 32 + (x >> 8)];
        if ((c & 15) != 0) {
            light += c >> 28;
            continue;
        }
        // a wall: shadow ray towards the corner
        int sx = x >> 8, sy = y >> 8;
        bool dark = false;
        while (sx > 0 || sy > 0) {
            if (sx > sy) --sx;
            else --sy;
            unsigned o = s[sy * 32 + sx];
            if ((o & 15) == 1) {
                dark = true;
                break;
            }
            if ((o & 15) == 2) light += 1;
        }
        if (!dark) light += 100;
        if (++bounce > 2) {
            light += L(light);
            break;
        }
        if (c & 16) dx = -dx;
        else if (c & 32) dy = -dy;
        else {
            int t = dx; dx = dy; dy = t;
        }
    }
    out[g] = light + bounce;
}
}
#undef L

namespace in_shortcircuit {
// short-circuit conditions whose operands load and have side effects, also as loop conditions and in ?:
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void shortcircuit(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned a = L(threadIdx.x), acc = 0, i = a & 31;
    if ((L(a + 1) & 1 && L(a + 2) & 2) || (L(a + 3) & 4 && !(L(a + 4) & 8)))
        acc += L(a >> 3);
    else if (!(L(a + 5) & 1) || (acc += L(a + 6)) & 1)
        acc ^= L(a >> 4);
    while (i < 48 && (L(a + i++) & 7) != 5 && ((acc += L(i)) & 15 || (L(acc) & 1))) {
        if ((acc & 1 && L(acc + i) & 2) || (acc & 4 && (L(acc ^ i) & 24) == 8)) {
            acc += 7;
            if (i & 1 && L(i * 21) & 1 && i++ < 40) continue;
        }
        acc ^= acc & 2 ? L(acc >> 6) & 1 ? L(acc >> 7) : acc >> 9 : acc & 0x20 ? L(acc >> 8) : i;
    }
    for (unsigned k = 0; k < 10 && (k < 3 || L(acc + k) & 0x300); k += 1 + (L(k ^ acc) & 1)) {
        bool p = (L(acc) & 1) && (L(acc + 1) & 1);
        bool q = p || ((L(acc + 2) & 1) && !(L(acc + 3) & 2));
        if (p != q) acc += L(k);
        else acc = acc * 3 + k;
    }
    out[threadIdx.x] = acc + i;
}
}
#undef L

namespace in_state_goto {
// a state machine made of labels and gotos, with an edge into the middle of a cycle
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void state_goto(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned x = L(threadIdx.x * 13), acc = 0;
    int fuel = 30;
    if (x & 1) goto s2;
s0:
    if (--fuel < 0) goto done;
    x += L(x);
    if (x & 2) goto s1;
    acc ^= L(acc);
    if (x & 4) goto s3;
    goto s0;
s1:
    acc += L(x >> 3);
    if ((acc & 7) == 1) goto done;
s2:
    if (--fuel < 0) goto done;
    x = x * 5 + L(x >> 5);
    if (x & 0x40) goto s1;
    if (x & 0x80) goto s4;
    goto s0;
s3:
    acc -= L(x >> 7);
    if (acc & 0x10) goto s2;
s4:
    if (--fuel < 0) goto done;
    acc += L(acc >> 9);
    x ^= acc;
    if ((x & 0x700) == 0x300) goto done;
    if (x & 0x800) goto s4;
    if (x & 0x1000) goto s3;
    goto s1;
done:
    out[threadIdx.x] = acc + L(x) + (unsigned)fuel;
}
}
#undef L

namespace in_switch_fall {
// switches in loops with fallthrough, break, continue, default in the middle, and a nested switch
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void switch_fall(unsigned* out, const unsigned* in, int n)
{
    fill(in);
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = L(g * 9), acc = g;
    for (int i = 0; i < n; ++i) {
        unsigned v = L(x + i);
        switch (v % 9) {
        case 0:
            acc += L(v >> 1);
        case 1:
            acc ^= L(v >> 2);
            break;
        case 2:
            x += L(v >> 3);
            continue;
        case 3:
            if (v & 0x1000) break;
            acc += L(v >> 4);
        default:
            acc -= L(v >> 5);
        case 5:
            switch (v >> 8 & 3) {
            case 0: acc += L(acc); break;
            case 1: acc ^= L(acc + 1);
            case 2: acc += L(acc + 2);
            }
            x ^= acc;
            break;
        case 6:
            for (unsigned k = 0; k < (v >> 28); ++k) {
                if ((L(k + v) & 7) == 2) goto out_of_switch;
                acc += k;
            }
        case 7:
            acc = acc * 3 + L(v >> 7);
            if ((acc & 31) == 7) goto done;
            break;
        }
        acc += L(v >> 9);
        continue;
    out_of_switch:
        x += L(x >> 4);
    }
done:
    out[g] = acc + L(x);
}
}
#undef L

namespace in_tmpl_rec {
// recursion by templates, each level with its own branch, loop and early return
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
template <int D> __device__ __forceinline__ unsigned walk(unsigned x, unsigned& acc)
{
    unsigned v = L(x + D * 31);
    if ((v & 7) == 0) return acc;
    if (v & 8) {
        acc += L(v >> 4);
        return walk<D - 1>(v >> 1, acc) + 1;
    }
    for (unsigned i = 0; i < (v >> 29); ++i) {
        unsigned u = L(v + i);
        if ((u & 15) == D) return L(u >> 4);
        acc ^= u;
    }
    unsigned r = walk<D - 2>(x + v, acc);
    if (r & 1) acc += L(r);
    return r ^ v;
}
template <> __device__ __forceinline__ unsigned walk<0>(unsigned x, unsigned& acc)
{
    acc += L(x);
    return acc;
}
template <> __device__ __forceinline__ unsigned walk<-1>(unsigned x, unsigned& acc)
{
    while ((L(x) & 3) && (x & 0xffff)) x >>= 2;
    return x;
}
extern "C" __global__ void tmpl_rec(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned acc = threadIdx.x;
    unsigned r = walk<6>(L(threadIdx.x * 4), acc);
    out[threadIdx.x] = r + L(acc);
}
}
#undef L

namespace in_tree_stack {
// tree traversal with an explicit stack: pruned binary tree in the table, stack in a local array
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void tree_stack(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned stack[12];
    int sp = 0, visited = 0;
    unsigned acc = 0;
    const unsigned key = L(threadIdx.x * 8 + 3);
    unsigned node = 1;
    while (true) {
        unsigned v = s[node];
        ++visited;
        unsigned l = node * 2, r = l + 1;
        bool leaf = l >= 1024 || (v & 7) == 0;
        if (leaf) {
            acc += v;
            if (((v ^ key) & 0xff) == 0 || visited > 90) break;
        } else {
            bool gl = ((v ^ key) & 0x18) != 0, gr = ((v ^ key) & 0x60) != 0;
            if (gl && gr) {
                if ((s[l] & 0xffff) > (s[r] & 0xffff)) {
                    unsigned t = l; l = r; r = t;
                }
                stack[sp++] = r;
                node = l;
                continue;
            }
            if (gl) {
                node = l;
                continue;
            }
            if (gr) {
                node = r;
                continue;
            }
            acc ^= L(node + key);
        }
        if (sp == 0) break;
        node = stack[--sp];
    }
    for (; sp > 0; --sp) acc += L(stack[sp - 1]) & 1 ? 1 : L(sp);
    out[threadIdx.x] = acc + visited;
}
}
#undef L

namespace in_two_level {
// leaving two loop levels through flags and conditions
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void two_level(unsigned* out, const unsigned* in, int n)
{
    fill(in);
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned acc = L(g * 6);
    bool done = false;
    for (int i = 0; i < n && !done; ++i) {
        unsigned v = L(acc + i);
        bool skip = false;
        for (int j = 0; j < n; ++j) {
            unsigned u = L(v + j * 5);
            if ((u & 31) == 1) {
                done = true;
                break;
            }
            if ((u & 15) == 6) {
                skip = true;
                break;
            }
            acc += u;
        }
        if (skip) continue;
        acc ^= L(acc >> 6);
        if (done) acc += L(v >> 16);
    }
    int r = 0;
    for (int y = 0; y < 8; ++y) {
        int x;
        for (x = 0; x < 8; ++x)
            if ((L(acc + y * 8 + x) & 15) == 0) break;
        if (x < 8) {
            r = y * 8 + x;
            if (L(r) & 1) break;
        } else {
            acc += L(y);
        }
    }
    out[g] = acc + r + L(acc >> 3);
}
}
#undef L

namespace in_unroll_mix {
// the same divergent loops under unroll 1, 2 and 4, with break, continue and a data-dependent bound
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
template <int W> __device__ __forceinline__ unsigned body(unsigned x, unsigned n, unsigned acc)
{
#pragma unroll W
    for (unsigned i = 0; i < n; ++i) {
        unsigned v = L(x + i * W);
        if ((v & 15) == 3) continue;
        acc += v;
        if ((v & 63) == 40) break;
        if (v & 0x80) acc ^= L(v >> 8);
    }
    return acc;
}
extern "C" __global__ void unroll_mix(unsigned* out, const unsigned* in)
{
    fill(in);
    unsigned x = L(threadIdx.x * 12 + 5), acc = 0;
    acc = body<1>(x, x & 15, acc);
    acc = body<2>(x >> 1, x >> 4 & 15, acc);
    acc = body<4>(x >> 2, x >> 8 & 31, acc);
#pragma unroll 1
    for (unsigned i = x >> 28; i < 18; ++i) acc += L(acc >> 7);
#pragma unroll 2
    for (unsigned i = x >> 29; i < 11; ++i) {
        if (acc & 1) acc += L(acc >> 6);
        acc = acc * 3 + i;
    }
#pragma unroll 4
    for (unsigned i = 0; i < (acc & 31); i += 1 + (acc & 1)) acc ^= L(acc >> 5) << 1;
#pragma unroll 4
    for (int i = 0; i < 12; ++i) {
        if ((L(acc + i) & 15) == 0) break;
        acc += L(i * acc);
    }
#pragma unroll
    for (int i = 0; i < 6; ++i) {
        if ((int)(x & 7) <= i) continue;
        acc += L(acc + i);
    }
    out[threadIdx.x] = acc;
}
}
#undef L

namespace in_vote_mix {
// full-mask votes at converged points around divergent bodies, half-warp ballots in divergent halves
__shared__ unsigned s[1024];
__device__ __forceinline__ void fill(const unsigned* in)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
}
#define L(i) s[(i) & 1023]
extern "C" __global__ void vote_mix(unsigned* out, const unsigned* in)
{
    fill(in);
    const unsigned t = threadIdx.x, lane = t & 31;
    unsigned x = L(t * 9), acc = 0;
    int n = x & 15;
    while (__any_sync(0xffffffffu, n > 0)) {
        if (n > 0) {
            unsigned v = L(x + n);
            if (v & 1) {
                acc += L(v >> 1);
                --n;
            } else {
                int k = v >> 30;
                while (k-- > 0) acc ^= L(v + k);
                n -= 2;
            }
        }
        __syncwarp();
        unsigned b = __ballot_sync(0xffffffffu, acc & 1);
        if (__popc(b) > 20 && n > 3) n -= 2;
        __syncwarp();
    }
    __syncwarp();
    if (lane < 16) {
        unsigned b = __ballot_sync(0x0000ffffu, L(acc) & 1);
        if (b >> lane & 1) acc += L(b);
        __syncwarp(0x0000ffffu);
        if (__all_sync(0x0000ffffu, acc != 1)) acc ^= L(acc >> 3);
    } else {
        for (int i = 0; i < 3; ++i) {
            bool p = (L(acc + i) & 3) == 1;
            if (p) acc += L(acc >> 4);
            __syncwarp(0xffff0000u);
            if (__any_sync(0xffff0000u, p)) acc += 1;
            else acc += L(acc >> 5);
            __syncwarp(0xffff0000u);
        }
    }
    __syncwarp();
    for (int i = 0; i < 8; ++i) {
        unsigned m = __match_any_sync(0xffffffffu, acc & 3);
        if (lane == (unsigned)__ffs(m) - 1) acc += L(acc >> i);
        __syncwarp();
        unsigned o = __shfl_sync(0xffffffffu, acc, __ffs(m) - 1);
        if (o & 1) acc += L(o >> 2);
        __syncwarp();
        if (__all_sync(0xffffffffu, acc & 7)) break;
    }
    out[t] = acc;
}
}
#undef L

namespace in_bst_lane {
// Binary search tree of shared keys: insertion, search, min/max and successor, children in a lane's global slots.
extern "C" __global__ void bst_lane(unsigned *out, const unsigned *in, unsigned *kids, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *kid = kids + (gid % 160u) * 32u;      // node i: left in low half, right in high half, 0 = none
    unsigned base = gid * 5u;
    int count = 1;
    unsigned h = 0, dup = 0;
    kid[0] = 0;
    if (n > 32) n = 32;
    for (int k = 1; k < n; k++) {
        unsigned key = s[(base + (unsigned)k) & 1023u];
        if ((key & 7u) == 0u) continue;
        if ((key & 0x38u) == 0x38u && count > 5) { h += s[(key >> 6) & 1023u]; continue; }
        int node = 0;
        for (;;) {
            unsigned nk = s[(base + (unsigned)node) & 1023u];
            if (((nk ^ key) & 0x1F00u) == 0u) { dup++; goto next_key; }
            unsigned kk = kid[node];
            if (key < nk) {
                if (!(kk & 0xFFFFu)) { kid[node] = kk | (unsigned)k; break; }
                node = (int)(kk & 0xFFFFu);
            } else {
                if (!(kk >> 16)) { kid[node] = kk | ((unsigned)k << 16); break; }
                node = (int)(kk >> 16);
                h ^= s[(h + nk) & 1023u];
            }
        }
        kid[k] = 0;
        count++;
    next_key:;
    }
    unsigned found = 0;
    for (int t = 0; t < 6; t++) {
        unsigned key = s[(h + (unsigned)t * 97u) & 1023u];
        int node = 0, best = -1;
        bool hit = false;
        do {
            unsigned nk = s[(base + (unsigned)node) & 1023u];
            if ((nk >> 27) == (key >> 27)) { hit = true; break; }
            if (nk > key) { best = node; node = (int)(kid[node] & 0xFFFFu); }
            else node = (int)(kid[node] >> 16);
        } while (node);
        if (hit) {
            found++;
            int r = (int)(kid[node] >> 16);
            if (r) {
                while (kid[r] & 0xFFFFu) { r = (int)(kid[r] & 0xFFFFu); h += s[(base + (unsigned)r) & 1023u]; }
                h ^= s[(base + (unsigned)r) & 1023u];
            } else if (best >= 0) h += s[(base + (unsigned)best) & 1023u];
            else break;
        } else if (best < 0) {
            h = h * 3u + 1u;
            continue;
        }
        h = (h >> 1) + s[(h ^ key) & 1023u];
    }
    out[gid] = h ^ (found << 24) ^ (dup << 28) ^ (unsigned)count;
}
}

namespace in_bvh_walk {
// Traverses an implicit BVH (heap order, boxes packed in words) with a packed stack, leaf tests and any-hit exit.
__shared__ unsigned s[1024];

__device__ __forceinline__ bool boxHit(unsigned node, unsigned x, unsigned y, unsigned best, unsigned *dist)
{
    unsigned b = s[node & 1023u];
    unsigned x0 = b & 255u, x1 = x0 + ((b >> 8) & 255u);
    if (x + 120u < x0 || x > x1) return false;
    unsigned y0 = (b >> 16) & 255u, y1 = y0 + (b >> 24);
    if (y + 120u < y0 || y > y1) return false;
    unsigned d = (x > x0 ? x - x0 : x0 - x) + (y > y0 ? y - y0 : y0 - y);
    *dist = d;
    if (d >= best) return (s[(node + 512u) & 1023u] & 3u) == 0u;
    return true;
}

extern "C" __global__ void bvh_walk(unsigned *out, const unsigned *in, int n)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = 0, total = 0;
    for (int ray = 0; ray < 2; ray++) {
        unsigned o = s[(gid * 3u + (unsigned)ray * 400u) & 1023u];
        unsigned x = o & 255u, y = (o >> 8) & 255u, best = 300u, bestId = 0;
        bool any = (o >> 30) == 3u;
        unsigned long long stack = 0;
        int sp = 0, visits = 0;
        unsigned node = 1;
        while (true) {
            if (++visits > n) { h ^= s[(h + 3u) & 1023u]; break; }
            if (node >= 64u) {
                unsigned cnt = 1u + (node & 3u);
                for (unsigned k = 0; k < cnt; k++) {
                    unsigned t = s[(node * 5u + k) & 1023u];
                    if (t & 1u) continue;
                    unsigned d = ((t >> 4) & 255u) ^ x;
                    if (d >= best) continue;
                    if (((t >> 12) & 255u) < y && (t & 0x300000u)) { h += s[(t >> 20) & 1023u]; continue; }
                    best = d;
                    bestId = node;
                    if (any) goto ray_done;
                }
            } else {
                unsigned da = 0, db = 0;
                bool a = boxHit(2u * node, x, y, best, &da);
                bool b = boxHit(2u * node + 1u, x, y, best, &db);
                if (a && b) {
                    unsigned nearN = 2u * node, farN = nearN + 1u;
                    if (db < da || (db == da && (s[(da + h) & 1023u] & 1u))) { nearN++; farN--; }
                    if (sp < 8) { stack = (stack << 8) | farN; sp++; }
                    node = nearN;
                    continue;
                }
                if (a) { node = 2u * node; continue; }
                if (b) { node = 2u * node + 1u; h ^= s[(db ^ node) & 1023u]; continue; }
            }
            do {
                if (sp == 0) goto ray_done;
                sp--;
                node = (unsigned)(stack & 255u);
                stack >>= 8;
            } while ((s[(node + 256u) & 1023u] & 255u) > best);
        }
    ray_done:
        if (bestId) h = h * 3u + s[(bestId * 9u + best) & 1023u];
        else if (any) break;
        total += (unsigned)visits;
    }
    out[gid] = h ^ (total << 20);
}
}

namespace in_cleanup_nest {
// Resource acquisition with goto cleanup cascades, retry counters, and nested loops left from inside by flag, goto, return.
__shared__ unsigned s[1024];

__device__ __forceinline__ int openAll(unsigned key, unsigned &h, int &retries)
{
    int rc = -1;
    unsigned a, b, c;
again:
    a = s[key & 1023u];
    if ((a & 7u) == 0u) goto fail_a;
    b = s[(key + a) & 1023u];
    if ((b & 7u) == 1u) goto fail_b;
    for (unsigned k = 0; ; k++) {
        c = s[(b + k * 17u) & 1023u];
        if ((c & 3u) == 2u) break;
        if (k == 4u) goto fail_c;
        if ((c & 0x3Cu) == 0x3Cu) { rc = -3; goto fail_b; }
    }
    if (((a & 8u) && (c & 8u)) || (b & 0x300u) == 0x300u) {
        if (++retries < 5) { key = c + (unsigned)retries; h ^= s[(key >> 2) & 1023u]; goto again; }
        rc = -2;
        goto fail_c;
    }
    h += a ^ b ^ c;
    return (int)(c >> 20) & 3;
fail_c:
    h ^= s[(c + 1u) & 1023u];
fail_b:
    h += s[(b + 2u) & 1023u];
    if (rc == -3 && retries < 3) { retries++; rc = -1; key += 5u; goto again; }
fail_a:
    h = h * 3u + s[(a + 3u) & 1023u];
    return rc;
}

extern "C" __global__ void cleanup_nest(unsigned *out, const unsigned *in, int n, const unsigned *bias)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = bias[gid & 127u], errors = 0, cells = 0;
    int retries = 0;
    for (int i = 0; i < n; i++) {
        int rc = openAll(h + (unsigned)i * 29u, h, retries);
        if (rc < 0) {
            errors++;
            if (rc == -2) { retries = 0; continue; }
            if (errors > 5u) {
                out[gid] = h ^ s[(h >> 3) & 1023u];
                return;
            }
            h += 0x9E37u;
            continue;
        }
        bool stop = false;
        for (int y = 0; y < 4 && !stop; y++) {
            for (int x = 0; x < 4; x++) {
                unsigned v = s[(h + (unsigned)(y * 32 + x)) & 1023u];
                cells++;
                if ((v & 31u) == 3u) goto next_item;
                if ((v & 31u) == 4u) { stop = true; break; }
                if ((v & 0xE0u) == 0u) continue;
                int z = rc;
                while (z >= 0) {
                    unsigned u = s[(v + (unsigned)z * 67u) & 1023u];
                    z--;
                    if ((u & 15u) == 1u) { h ^= u; stop = true; break; }
                    if ((u & 15u) == 2u) goto next_row;
                    if (cells > 60u && (u & 15u) == 5u) { out[gid] = s[(u >> 5) & 1023u] ^ cells; return; }
                    if ((u & 255u) == 77u) goto finish;
                }
                if (stop && !(s[(v >> 8) & 1023u] & 1u)) break;
                stop = false;
            }
        next_row:
            h = h * 5u + 1u;
        }
        if (stop) h ^= s[(h + 1u) & 1023u];
        else { h += s[(h >> 4) & 1023u]; if (cells > 90u) break; }
    next_item:
        h ^= s[(h + cells) & 1023u];
    }
    h += s[cells & 1023u];
finish:
    out[gid] = h ^ (cells << 20) ^ (errors << 16) ^ (unsigned)retries;
}
}

namespace in_euclid_rho {
// gcd three ways (Euclid, binary, subtractive with a limit) inside Pollard rho with restarts.
__device__ __forceinline__ unsigned gcdBinary(const unsigned *s, unsigned a, unsigned b, unsigned &h)
{
    if (a == 0u) return b;
    if (b == 0u) return a;
    int sh = 0;
    while (((a | b) & 1u) == 0u) { a >>= 1; b >>= 1; sh++; }
    while ((a & 1u) == 0u) a >>= 1;
    do {
        while ((b & 1u) == 0u) { b >>= 1; h += s[b & 1023u] & 1u; }
        if (a == 1u) return 1u << sh;
        if (a > b) { unsigned t = a; a = b; b = t; h ^= s[(a + b) & 1023u]; }
        b -= a;
    } while (b);
    return a << sh;
}

extern "C" __global__ void euclid_rho(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned num = (s[(gid * 7u) & 1023u] & 0x3FFFu) | 3u;
    unsigned h = 0, factor = 0, restarts = 0;
    if ((num & 0x30u) == 0u) {
        // trial division first
        for (unsigned d = 3; d * d <= num && d < 40u; d += 2u) {
            if (num % d == 0u) { factor = d; h = s[d & 1023u]; goto found; }
            if ((s[(num ^ d) & 1023u] & 15u) == 7u) break;
        }
    }
    for (unsigned c = 1; c < 4u; c++) {
        unsigned x = 2u + c, y = x;
        for (int i = 0; i < n; i++) {
            x = (x * x + c) % num;
            y = (y * y + c) % num;
            y = (y * y + c) % num;
            unsigned d = x > y ? x - y : y - x;
            if (d == 0u) { h ^= s[(x + c) & 1023u]; break; }
            unsigned g;
            if (i % 3 == 0) {
                unsigned a = num, b = d;
                while (b) { unsigned t = a % b; a = b; b = t; if (b == 1u) { a = 1u; h += s[t + (a & 1u)]; break; } }
                g = a;
            } else if ((s[(h ^ d) & 1023u] & 3u) != 0u) {
                g = gcdBinary(s, num, d, h);
            } else {
                unsigned a = num, b = d;
                int lim = 12;
                while (a != b && lim-- > 0) {
                    if (a > b) { a -= b; if (a > b && (s[a & 1023u] & 1u)) a = a > 2u * b ? a - b : a; }
                    else b -= a;
                }
                if (lim < 0) continue;
                g = a;
            }
            if (g == 1u) continue;
            if (g == num) { h += s[(g >> 2) & 1023u]; goto restart; }
            factor = g;
            goto found;
        }
    restart:
        restarts++;
    }
    h ^= s[num & 1023u];
found:
    if (factor > 1u && factor < num) {
        unsigned pw = 0;
        while (num % factor == 0u && pw < 8u) { num /= factor; pw++; h += s[(num + pw) & 1023u]; if (num == 1u) break; }
    }
    unsigned long long wide = ((unsigned long long)h << 9) | num;
    if (restarts == 1u || (restarts == 0u && (h & 1u))) h ^= s[(unsigned)(wide % (factor * 3u + 7u)) & 1023u];
    out[gid] = h ^ (factor << 16) ^ (restarts << 30);
}
}

namespace in_guards_loop {
// Order-book style filters: bodies that begin with several continue guards, do-while with break and continue.
extern "C" __global__ void guards_loop(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = gid, cash = 1000u + gid, stock = 0, rejected = 0;
    for (int i = 0; i < n; i++) {
        unsigned o = s[(gid * 19u + (unsigned)i) & 1023u];
        if ((o & 3u) == 3u) continue;
        if (!(s[(o >> 4) & 1023u] & 6u)) { rejected++; continue; }
        if (rejected > 3u && (o & 0x40u)) continue;
        if (stock > 30u && (s[(stock + h) & 1023u] & 1u) && !(o & 4u)) { stock -= 7u; continue; }
        unsigned price = 1u + ((o >> 8) & 63u), qty = 1u + ((o >> 14) & 15u);
        if (o & 8u) {
            do {
                if (cash < price) break;
                qty--;
                if ((s[(qty * 41u + h) & 1023u] & 7u) == 2u) continue;
                cash -= price;
                stock++;
                if (stock > 60u) goto stop;
            } while (qty > 0u);
        } else {
            while (stock > 0u && qty-- > 0u) {
                if ((s[(price + stock) & 1023u] & 3u) == 0u) { if (qty & 1u) continue; break; }
                stock--;
                cash += price;
            }
        }
        h = h * 7u + s[(cash ^ h) & 1023u];
        if (h % 37u == 5u) break;
    }
    h ^= s[(cash + stock) & 1023u];
    {
        int left = 3;
        unsigned k = h & 1023u, steps = 0;
        do {
            steps++;
            unsigned v = s[k];
            k = (k * 5u + 3u) & 1023u;
            if (v & 1u) continue;
            if ((v & 6u) == 6u) { left++; if (left > 6) break; continue; }
            if ((v & 24u) == 8u) { h += s[(v >> 5) & 1023u]; left--; }
            left--;
        } while (left > 0 && steps < 40u);
        h += steps << 12;
    }
stop:
    out[gid] = h ^ (cash << 4) ^ (stock << 20) ^ (rejected << 28);
}
}

namespace in_hash_probe_by_policy {
// Open addressing with linear, quadratic, double-hash, cuckoo and robin-hood policies chosen by key.
#define EMPTY(x) (((x) & 7u) == 0u)
#define TOMB(x) (((x) & 7u) == 1u)

extern "C" __global__ void hash_probe_by_policy(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = gid * 0x9E3779B9u + 1u, found = 0, tombs = 0, probes = 0;
    for (int q = 0; q < n; q++) {
        unsigned key = s[(h ^ (unsigned)q) & 1023u] ^ h;
        unsigned slot = (key * 0x85EBCA6Bu) >> 22;
        int firstTomb = -1, hit = -1;
        switch ((key >> 13) % 5u) {
        case 0:
            for (int i = 0; i < 24; i++) {
                unsigned v = s[(slot + (unsigned)i) & 1023u];
                probes++;
                if (EMPTY(v)) break;
                if (TOMB(v)) { if (firstTomb < 0) firstTomb = i; continue; }
                if (((v ^ key) & 0x78u) == 0u) { hit = i; break; }
            }
            break;
        case 1: {
            unsigned d = 0;
            do {
                unsigned v = s[(slot + d * (d + 1u) / 2u) & 1023u];
                probes++;
                if (EMPTY(v) && !(v & 8u)) break;
                if (((v ^ key) & 0xF0u) == 0u) { hit = (int)d; goto got; }
                if (TOMB(v)) firstTomb = (int)d;
            } while (++d < 16u);
            h ^= s[(slot ^ 0x3Cu) & 1023u];
            break;
        }
        case 2: {
            unsigned st = (key >> 5) | 1u;
            int tries = 0;
            while (true) {
                unsigned v = s[slot & 1023u];
                if (EMPTY(v) || ++tries > 12) break;
                if (((v >> 4) & 7u) == (key & 7u)) {
                    if ((s[(slot + 1u) & 1023u] & 3u) != 0u) { hit = tries; break; }
                    h += 5u;
                }
                slot += st;
            }
            break;
        }
        case 3: {
            unsigned a = s[slot & 1023u];
            if (((a ^ key) & 0xC0u) == 0u) { hit = 0; break; }
            unsigned b = s[(slot ^ (key >> 3)) & 1023u];
            if (((b ^ key) & 0xC0u) == 0u) { hit = 1; break; }
            for (unsigned k = 0; k < 5u; k++) {
                unsigned st = s[(512u + slot + k) & 1023u];
                if (st == key || ((st & 0x30u) == 0x30u && (key & 1u))) { hit = 2; goto got; }
            }
            break;
        }
        default: {
            unsigned dist = 0, v;
            while (v = s[(slot + dist) & 1023u], !EMPTY(v) && ((v >> 3) & 7u) >= dist) {
                if (((v ^ key) >> 29) == 0u) { hit = (int)dist; break; }
                dist++;
            }
            if (hit < 0 && dist > 3u) h -= s[(dist * 91u) & 1023u];
        }
        }
        if (hit < 0) {
            if (firstTomb < 0) { h = h * 5u + s[(h >> 8) & 1023u]; continue; }
            tombs++;
            h ^= s[(slot + (unsigned)firstTomb) & 1023u];
            if (tombs > 4u) break;
            continue;
        }
    got:
        found++;
        h = (h >> 2) * 77u + s[(key + (unsigned)hit) & 1023u];
    }
    out[gid] = h ^ (found << 27) ^ (tombs << 23) ^ (probes << 10);
}
}
#undef EMPTY
#undef TOMB

namespace in_heap_sift {
// Priority queue of indices into shared keys; sift up, sift down, replace and lazy deletion by lane.
__device__ __forceinline__ bool before(const unsigned *s, unsigned a, unsigned b)
{
    unsigned x = s[a & 1023u], y = s[b & 1023u];
    if (x != y) return x < y;
    if ((a ^ b) & 1u) return s[(a + 1u) & 1023u] < s[(b + 1u) & 1023u];
    return a < b;
}

extern "C" __global__ void heap_sift(unsigned *out, const unsigned *in, unsigned *heap, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *q = heap + (gid & 127u) * 32u;
    int size = 0;
    unsigned h = gid, pops = 0, drops = 0;
    for (int op = 0; op < n; op++) {
        unsigned r = s[(gid * 31u + (unsigned)op * 7u) & 1023u];
        if ((r & 3u) != 0u && size < 31) {
            if ((r & 0x70u) == 0u && size > 4) { drops++; continue; }
            int i = size++;
            unsigned key = (r >> 9) & 1023u;
            while (i > 0) {
                int parent = (i - 1) >> 1;
                unsigned pk = q[parent];
                if (!before(s, key, pk)) break;
                q[i] = pk;
                i = parent;
            }
            q[i] = key;
        } else if (size > 0) {
            unsigned top = q[0];
            pops++;
            h = h * 5u + s[top & 1023u];
            unsigned last;
            if ((r & 0x300u) == 0x300u) last = (top + 17u) & 1023u;       // replace
            else { last = q[--size]; if (size == 0) { h ^= s[last & 1023u]; continue; } }
            int i = 0;
            for (;;) {
                int c = 2 * i + 1;
                if (c >= size) break;
                if (c + 1 < size && before(s, q[c + 1], q[c])) c++;
                if (before(s, last, q[c])) { h += s[(last ^ (unsigned)c) & 1023u]; break; }
                q[i] = q[c];
                i = c;
            }
            if (i < 32) q[i] = last;
            if ((s[(h >> 5) & 1023u] & 7u) == 0u) {
                // lazy deletion: drop leaves that are too large
                while (size > 1 && s[q[size - 1] & 1023u] > 0xC0000000u) { size--; drops++; }
            }
        } else {
            h ^= s[(h + drops) & 1023u];
            if (drops > 6u || (h & 31u) == 9u) break;
        }
    }
    while (size > 0 && pops < 40u) {
        h += s[q[--size] & 1023u];
        if ((h & 15u) == 3u) break;
    }
    out[gid] = h ^ (pops << 20) ^ (drops << 26) ^ (unsigned)size;
}
}

namespace in_lambda_tern {
// Lambdas with early returns used as predicates and visitors, chains of ternaries whose arms load.
extern "C" __global__ void lambda_tern(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = gid * 747796405u + 1u, stops = 0;

    auto at = [&](unsigned i) { return s[i & 1023u]; };
    auto lowerBound = [&](unsigned lo, unsigned key) -> int {
        unsigned len = 16;
        while (len > 0u) {
            unsigned half = len >> 1, v = at(lo + half);
            if ((v >> 26) == (key >> 26)) return (int)half;
            if (v < key) { lo += half + 1u; len -= half + 1u; if (at(lo) & 0x800u) continue; len >>= 1; }
            else len = half;
        }
        if ((key & 7u) == 3u) return -1;
        return (int)(lo & 31u);
    };
    auto visit = [&](unsigned v, unsigned depth) -> bool {
        if ((v & 15u) == 0u) return false;
        if (depth == 0u) { h ^= at(v >> 4); return true; }
        for (unsigned k = 0; k < depth; k++) {
            unsigned c = at(v + k * 31u);
            if ((c & 0xFFu) < 20u) return false;
            if ((c & 0x700u) == 0x700u) { stops++; return k > 1u; }
            h += c;
        }
        return true;
    };
    auto forEach = [&](unsigned first, int count, auto f) {
        for (int i = 0; i < count; i++)
            if (!f(at(first + (unsigned)i), (unsigned)i & 3u)) return i;
        return -1;
    };

    for (int i = 0; i < n; i++) {
        unsigned w = at(h >> 6);
        unsigned v = (w & 1u) ? ((w & 2u) ? at(w >> 3) : at(w >> 5) + at(h))
                              : ((w & 4u) ? (h & 1u ? at(h >> 9) : w) : at(at(w >> 12)));
        if (v > 0xE0000000u) continue;
        int k = (v & 0x30u) == 0x30u ? forEach(v >> 8, 4, visit) : (v & 0x10u) ? lowerBound(v >> 7, w) : (int)(v & 3u);
        if (k < 0) {
            bool all = [&] {
                for (unsigned j = 0; j < 5u; j++) {
                    unsigned x = at(w + j * j);
                    if (!(x & 6u)) return false;
                    if (x > v) return true;
                }
                return (h & 2u) == 0u;
            }();
            if (all) { h = h * 3u + at(v); continue; }
            if (stops > 6u) break;
        } else if (forEach(w, k & 3, [&](unsigned x, unsigned d) { if (d == 2u) return (at(x) & 1u) != 0u; return x > 0x10000000u; }) == 1) {
            h ^= at(v + 9u);
        }
        h = (h << 3 | h >> 29) + (k > 4 ? at(h + v) : v);
    }
    out[gid] = h ^ (stops << 24);
}
}

namespace in_lexer {
// A C-like lexer: character classes drive a nested switch with state in a loop.
__device__ __forceinline__ int classify(unsigned w)
{
    unsigned c = (w ^ (w >> 9)) & 31u;
    if (c < 9) return 0;          // letter
    if (c < 15) return 1;         // digit
    if (c < 19) return 2;         // blank
    if (c == 19) return 3;        // quote
    if (c == 20) return 4;        // slash
    if (c == 21) return 5;        // star
    if (c == 22) return 6;        // newline
    if (c == 23) return 7;        // backslash
    if (c == 24) return 8;        // dot
    return 9;                     // operator
}

extern "C" __global__ void lexer(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pos = gid * 37u, h = gid, tokens = 0, errors = 0;
    int state = 0;
    for (int step = 0; step < n; step++) {
        unsigned w = s[pos & 1023u];
        pos++;
        int c = classify(w);
        switch (state) {
        case 0:
            switch (c) {
            case 0: state = 1; h = h * 31u + s[(w >> 3) & 1023u]; break;
            case 1: state = 2; h = h * 10u + s[(w >> 5) & 1023u]; break;
            case 2: continue;
            case 3: state = 3; break;
            case 4:
                if (classify(s[pos & 1023u]) == 5) { state = 4; pos++; h ^= s[(h + 1u) & 1023u]; }
                else if (classify(s[(pos + 1u) & 1023u]) == 4) { state = 5; pos++; }
                else tokens++;
                break;
            case 6:
                tokens += s[(h ^ w) & 1023u] & 1u;
                break;
            case 9: {
                unsigned w2 = s[pos & 1023u];
                if (classify(w2) == 9) {
                    pos++;
                    if (((w ^ w2) & 3u) == 0) { h += s[(w2 >> 4) & 1023u]; pos++; }
                }
                tokens++;
                break;
            }
            default:
                errors++;
                h -= s[(errors * 77u) & 1023u];
            }
            break;
        case 1:
            if (c == 0 || c == 1) { h = h * 31u + s[(h ^ (w >> 7)) & 1023u]; continue; }
            state = 0;
            tokens++;
            if (s[h & 1023u] & 4u) { h ^= 0x1234u; pos--; }
            break;
        case 2:
            switch (c) {
            case 1: h = h * 10u + (s[(h + w) & 1023u] & 15u); break;
            case 8:
                if (h & 1u) { errors++; state = 0; break; }
                h |= 1u;
                // fallthrough
            case 0:
                h += s[(h >> 2) & 1023u];
                if ((w & 7u) < 3u) break;
                // fallthrough
            default:
                state = 0; tokens++; pos--;
            }
            break;
        case 3:
            if (c == 3) { state = 0; tokens += 2u; h ^= s[(tokens * 5u) & 1023u]; break; }
            if (c == 6) { state = 0; errors++; break; }
            if (c == 7) { pos++; h += s[(pos + 3u) & 1023u]; continue; }
            h = (h << 1) ^ s[(h ^ w) & 1023u];
            break;
        case 4:
            while (c != 5 && step < n) {
                w = s[pos & 1023u]; pos++; step++;
                c = classify(w);
            }
            if (classify(s[pos & 1023u]) == 4 || (w & 64u)) { state = 0; pos++; }
            break;
        default:
            if (c == 6 || c == 9) state = 0;
            else h += s[(w ^ 0x155u) & 1023u];
        }
        h ^= s[(h + (unsigned)state) & 1023u] >> 3;
    }
    out[gid] = h ^ (tokens << 8) ^ (errors << 20) ^ (unsigned)state;
}
}

namespace in_lz_rle {
// LZ77 + RLE decompressor, one 32-word ring window for each lane in global memory.
extern "C" __global__ void lz_rle(unsigned *out, const unsigned *in, unsigned *win, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *w = win + (gid & 127u) * 32u;
    unsigned ip = gid * 53u;
    int op = 0, blocks = 0;
    unsigned crc = 0, status = 0;
    for (;;) {
        unsigned hdr = s[ip++ & 1023u];
        if (++blocks > 12) { status = 1; break; }
        if ((hdr & 15u) == 15u) { status = 2 + (s[(hdr >> 8) & 1023u] & 1u); break; }
        if (hdr & 1u) {                       // stored block
            int len = (hdr >> 1) & 7;
            if (len == 0) continue;
            while (len-- > 0) {
                unsigned v = s[ip++ & 1023u];
                w[op & 31] = v;
                op++;
                crc = (crc << 1) ^ v;
            }
        } else if ((hdr & 6u) == 2u) {        // run
            unsigned v = s[(hdr >> 6) & 1023u];
            int len = 1 + (int)((hdr >> 16) & 15u);
            do {
                if (op >= n) { status = 4; goto finish; }
                w[op & 31] = v;
                op++;
                if (!(v & 3u)) { v = s[(v >> 7) & 1023u] | 1u; continue; }
                crc += v;
            } while (--len > 0);
        } else {                              // tokens
            int bits = 4 + (int)((hdr >> 4) & 3u);
            unsigned flags = hdr >> 8;
            for (int t = 0; t < bits; t++, flags >>= 1) {
                if (!(flags & 1u)) {
                    unsigned lit = s[ip++ & 1023u];
                    w[op & 31] = lit;
                    op++;
                    crc ^= lit;
                    continue;
                }
                unsigned m = s[ip++ & 1023u];
                int dist = 1 + (int)(m & 31u), len = 2 + (int)((m >> 5) & 7u);
                if (dist > op) {
                    if (m & 0x1000u) { crc ^= s[(crc + m) & 1023u]; break; }
                    dist = op ? op : 1;
                }
                if (len == 9) {
                    unsigned e;
                    do { e = s[ip++ & 1023u]; len += (int)(e & 3u); } while ((e & 3u) == 3u && len < 20);
                }
                for (; len > 0; len--) {
                    unsigned v = w[(op - dist) & 31];
                    w[op & 31] = v;
                    op++;
                    if (op > n + 8) { status = 5; goto finish; }
                    crc += v ^ s[(v ^ (unsigned)len) & 1023u];
                }
            }
        }
        if (op >= n) { crc ^= s[(unsigned)op & 1023u]; break; }
    }
finish:
    if (status >= 4u || (status == 2u && (crc & 1u))) crc ^= s[(crc >> 4) & 1023u];
    out[gid] = crc ^ (status << 28) ^ ((unsigned)op << 16);
}
}

namespace in_maze_walk {
// Right-hand wall follower in a 32x32 maze with doors, keys, teleports, traps; leaves by many ways.
__device__ __forceinline__ bool openCell(const unsigned *s, int x, int y, unsigned keys)
{
    if (x < 0 || y < 0 || x > 31 || y > 31) return false;
    unsigned c = s[y * 32 + x];
    if ((c & 3u) == 0u) return false;
    if ((c & 28u) == 28u) return ((keys >> ((c >> 5) & 3u)) & 1u) != 0u;
    return true;
}

extern "C" __global__ void maze_walk(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    int x = (int)(gid & 31u), y = (int)((gid * 5u >> 3) & 31u), dir = (int)(gid & 3u);
    unsigned keys = 0, h = 0, turns = 0;
    int life = 6, code = 0;
    int t;
    for (t = 0; t < n; t++) {
        int right = (dir + 1) & 3;
        int dx = right == 0 ? 1 : right == 2 ? -1 : 0, dy = right == 1 ? 1 : right == 3 ? -1 : 0;
        if (openCell(s, x + dx, y + dy, keys)) {
            dir = right;
        } else {
            int tries = 0;
            bool moved = false;
            while (tries < 3) {
                dx = dir == 0 ? 1 : dir == 2 ? -1 : 0;
                dy = dir == 1 ? 1 : dir == 3 ? -1 : 0;
                if (openCell(s, x + dx, y + dy, keys)) { moved = true; break; }
                dir = (dir + 3) & 3;
                tries++;
                turns++;
            }
            if (!moved) {
                if (--life < 0) { code = 1; break; }
                unsigned j = s[(h + turns) & 1023u];       // dig
                x = (int)(j & 31u);
                y = (int)((j >> 5) & 31u);
                continue;
            }
        }
        x += dx;
        y += dy;
        unsigned c = s[(y * 32 + x) & 1023];
        h = h * 3u + c;
        if ((c & 0xF00u) == 0x100u) { keys |= 1u << ((c >> 12) & 3u); continue; }
        if ((c & 0xF00u) == 0x200u) {
            unsigned to = s[(c >> 14) & 1023u];
            if ((to & 3u) == 0u) { life--; continue; }
            x = (int)((to >> 3) & 31u);
            y = (int)((to >> 8) & 31u);
        } else if ((c & 0xF00u) == 0x300u) {
            life -= 1 + (int)(s[(h >> 7) & 1023u] & 1u);
            if (life < 0) { code = 2; h ^= s[(h >> 1) & 1023u]; break; }
        }
        if (keys == 15u && (x == 0 || y == 0 || x == 31 || y == 31)) { code = 3; break; }
        if ((h & 0x1FFu) == 0x33u) {
            out[gid] = h ^ s[(h >> 9) & 1023u];
            return;
        }
    }
    if (code == 0 && t >= n) h ^= s[(turns * 3u) & 1023u];
    else if (code == 1 || (code == 2 && (keys & 5u))) h += s[(keys + 40u) & 1023u];
    out[gid] = h ^ (keys << 28) ^ (turns << 16) ^ (unsigned)code;
}
}

namespace in_newton_retry {
// Integer and float Newton with early exits, restarts from another guess, and bisection as the fallback.
extern "C" __global__ void newton_retry(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = s[(gid * 3u) & 1023u] >> (gid & 15u);
    unsigned h = 0, iters = 0;
    // integer square root
    unsigned x = 0;
    int attempt = 0;
    bool done = false;
    while (!done && attempt < 4) {
        x = 1u + (s[(gid + (unsigned)attempt * 101u) & 1023u] >> (12 + attempt * 2));
        for (int it = 0; it < n; it++) {
            iters++;
            if (x == 0u) { x = s[(h + 5u) & 1023u] | 1u; continue; }
            unsigned y = (x + a / x) >> 1;
            if (y == x || y + 1u == x) { done = true; break; }
            if (y > 0x7FFFFFFFu) { h ^= s[(y >> 20) & 1023u]; break; }
            if (it > 3 && (s[(y ^ h) & 1023u] & 31u) == 0u) goto give_up;
            x = y;
        }
        attempt++;
    }
    if (!done) {
    give_up:
        unsigned lo = 0, hi = 65535u;
        while (lo < hi) {
            unsigned mid = (lo + hi + 1u) >> 1;
            if (mid * mid <= a) lo = mid;
            else hi = mid - 1u;
            h += s[mid & 1023u] & 3u;
            if (hi - lo < 3u && (s[(lo + h) & 1023u] & 1u)) break;
        }
        x = lo;
        iters += 1000u;
    }
    // reciprocal in floats, no division
    float v = 1.0f + (float)(a & 1023u) * 0.03125f, r = 0.75f;
    int halvings = 0;
    for (int it = 0; it < n; it++) {
        float e = 1.0f - v * r;
        if (e < -4.0f) {
            do { r *= 0.5f; halvings++; h ^= s[(unsigned)halvings * 17u & 1023u]; } while (v * r > 1.5f && halvings < 20);
            continue;
        }
        if (e < 0.001f && e > -0.001f) { h += s[(h ^ x) & 1023u]; break; }
        r += r * e;
        if (r < 0.0f) { r = 0.01f; if (s[(x >> 2) & 1023u] & 1u) break; }
    }
    out[gid] = h ^ x ^ (iters << 20) ^ ((unsigned)halvings << 8) ^ (unsigned)(r * 1024.0f);
}
}

namespace in_nfa_regex {
// Backtracking matcher (literal, dot, class, star, optional) plus a bit-set NFA for what it rejects.
extern "C" __global__ void nfa_regex(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pat = gid * 13u, txt = gid * 29u + 500u;
    int plen = 3 + (int)(s[gid & 1023u] & 7u);
    unsigned h = 0;
    int starts = 0;
    bool ok = false;
    for (int start = 0; start < 6; start++) {
        int pi = 0, ti = start;
        int bp = -1, bt = 0, fuel = n;
        starts++;
        while (true) {
            if (--fuel < 0) { h ^= s[(h + 11u) & 1023u]; break; }
            if (pi >= plen) {
                if (ti - start >= 3 || (s[(txt + (unsigned)ti) & 1023u] & 1u)) { ok = true; break; }
                goto backtrack;
            } else {
                unsigned p = s[(pat + (unsigned)pi) & 1023u];
                unsigned t = (s[(txt + (unsigned)ti) & 1023u] >> 4) & 3u;
                switch ((p >> 2) & 7u) {
                case 0:           // dot
                    pi++; ti++;
                    continue;
                case 1:           // star
                    bp = pi; bt = ti;
                    pi++;
                    h += s[(h ^ p) & 1023u];
                    continue;
                case 2:           // optional
                    if (((p >> 6) & 3u) == t) ti++;
                    pi++;
                    continue;
                case 3:           // class
                    if ((p >> (8 + t)) & 1u) { pi++; ti++; h ^= s[(p >> 12) & 1023u]; continue; }
                    break;
                case 4:           // negated class
                    if (!((p >> (8 + t)) & 1u) && (s[(h + t) & 1023u] & 6u)) { pi++; ti++; continue; }
                    break;
                default:
                    if (((p >> 6) & 3u) == t) { pi++; ti++; continue; }
                }
            }
        backtrack:
            if (bp < 0) { h += s[(h * 3u + 7u) & 1023u]; break; }
            bt++;
            ti = bt;
            pi = bp + 1;
        }
        if (ok) break;
        h = h * 17u + s[(txt + (unsigned)start * 5u) & 1023u];
    }
    if (!ok) {
        unsigned set = 1u;
        for (int i = 0; i < n; i++) {
            unsigned t = s[(txt + (unsigned)i) & 1023u], next = 0;
            for (unsigned m = set; m; m &= m - 1u) {
                int q = __ffs((int)m) - 1;
                unsigned e = s[(pat + (unsigned)q * 7u) & 1023u];
                if (((e ^ t) & 3u) == 0) next |= 1u << ((e >> 5) & 7u);
                else if ((e & 8u) && (t & 8u)) next |= 2u << ((e >> 9) & 7u);
            }
            if (!next) { h ^= s[(h + 3u) & 1023u]; break; }
            if (next & 256u) { h += s[(next + h) & 1023u]; starts += 100; break; }
            set = next;
        }
    }
    out[gid] = h ^ ((unsigned)starts << 16) ^ (ok ? s[(h >> 3) & 1023u] : 1u);
}
}

namespace in_noinline_calls {
// Out-of-line functions with several returns, called in loops, from branches and from each other.
__shared__ unsigned s[1024];

__device__ __noinline__ int findRun(unsigned start, unsigned bit, int limit)
{
    if (limit <= 0) return -1;
    unsigned first = s[start & 1023u];
    if (!((first >> bit) & 1u)) return 0;
    for (int i = 1; i < limit; i++) {
        unsigned v = s[(start + (unsigned)i) & 1023u];
        if (!((v >> bit) & 1u)) return i;
        if ((v ^ first) == 0u) return -2;
        if (((v >> (bit + 5)) & 7u) == 7u) return i + 100;
    }
    return limit;
}

__device__ __noinline__ unsigned resolve(unsigned id, int depth)
{
    unsigned v = s[id & 1023u];
    while (depth > 0) {
        if ((v & 3u) == 0u) return v;
        if ((v & 3u) == 1u) { v = s[(v >> 4) & 1023u]; depth--; continue; }
        int r = findRun(v >> 6, v & 15u, depth + 2);
        if (r == 0) { depth -= 2; v = s[(v ^ id) & 1023u]; continue; }
        if (r < 0 || r > 100) return s[(unsigned)(r + 200) & 1023u];
        v = (v >> 2) + (unsigned)r;
        depth--;
    }
    return ~v;
}

__device__ __noinline__ bool accept(unsigned a, unsigned b)
{
    if (a == b) return true;
    if ((a & 15u) < 3u) return (s[b & 1023u] & 1u) != 0u;
    if ((b & 15u) > 11u && (s[(a >> 3) & 1023u] & 2u)) return false;
    if (a > b) { if ((s[(a ^ b) & 1023u] & 12u) == 12u) return false; }
    else if (s[(a + b) & 1023u] >> 31) return true;
    return ((a ^ b) & 0x11u) != 0u;
}

extern "C" __global__ void noinline_calls(unsigned *out, const unsigned *in, int n)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = gid * 40503u, oks = 0, fails = 0;
    for (int i = 0; i < n; i++) {
        unsigned w = s[(h >> 5) & 1023u];
        if ((w & 3u) == 0u) { h += 977u; continue; }
        if ((w & 3u) == 1u && !accept(w, h)) {
            fails++;
            if (fails > 4u && accept(h, fails)) break;
            h = h * 3u + 1u;
            continue;
        }
        int r = findRun(w >> 7, h & 15u, 2 + (int)(w & 7u));
        switch (r < 0 ? 3 : r > 100 ? 2 : r > 2 ? 1 : 0) {
        case 0: h ^= resolve(w, 2); break;
        case 1:
            h += resolve(h, r);
            if (h & 1u) break;
            // fallthrough
        case 2:
            while (accept(h, w) && oks < 20u) { oks++; h = h * 5u + s[(h ^ oks) & 1023u]; }
            break;
        default:
            h -= s[(w + 3u) & 1023u];
            goto out_of_loop;
        }
        h ^= s[(h + (unsigned)i * 13u) & 1023u];
    }
out_of_loop:
    if (oks > 3u || (fails > 1u && accept(oks, fails))) h += resolve(h >> 3, 3);
    out[gid] = h ^ (oks << 24) ^ (fails << 20);
}
}

namespace in_parse_expr {
// Recursive-descent expression evaluator, recursion unrolled by templates down to depth 0.
__shared__ unsigned s[1024];

struct P { unsigned pos, end, err, h; };

__device__ __forceinline__ unsigned tok(const P &p) { return p.pos < p.end ? (s[p.pos & 1023u] >> 3) % 11u : 99u; }

template <int D> __device__ __forceinline__ unsigned expr(P &p);

template <int D> __device__ __forceinline__ unsigned factor(P &p)
{
    while (tok(p) == 4u || tok(p) == 5u) {               // unary
        p.pos++;
        p.h ^= s[(p.h + p.pos) & 1023u];
        if (p.pos >= p.end) { p.err = 1; return 0; }
    }
    unsigned t = tok(p);
    if (t <= 3u) { unsigned v = s[p.pos & 1023u] >> 8; p.pos++; return v; }
    if (t == 6u || t == 7u) {
        p.pos++;
        unsigned v = expr<D - 1>(p);
        if (p.err) return v;
        if (tok(p) != 8u) {
            if (s[(v ^ p.h) & 1023u] & 1u) { p.err = 2; return 0; }
            return v;
        }
        p.pos++;
        return v + 1u;
    }
    if (t == 99u) { p.err = 3; return 0; }
    p.pos++;
    return s[(t * 90u + p.h) & 1023u] & 7u;
}

template <int D> __device__ __forceinline__ unsigned expr(P &p)
{
    unsigned v = factor<D>(p);
    for (int k = 0; k < 4; k++) {
        if (p.err) break;
        unsigned t = tok(p);
        if (t == 8u || t == 99u) return v;
        if (t == 9u || t == 10u) {
            p.pos++;
            unsigned w = factor<D>(p);
            if (p.err && (w & 1u)) continue;
            if (t == 9u) v *= w | 1u;
            else if (w == 0u) { p.err = 4; return s[v & 1023u]; }
            else v += s[(v + w) & 1023u];
            continue;
        }
        if (t > 3u) { p.pos++; p.h += s[(v >> 2) & 1023u]; }
        v -= factor<D>(p);
    }
    return v;
}

template <> __device__ __forceinline__ unsigned expr<0>(P &p)
{
    unsigned depth = 1;
    while (p.pos < p.end) {
        unsigned t = tok(p);
        p.pos++;
        if (t == 6u) { depth++; continue; }
        if (t == 8u && --depth == 0u) { p.pos--; return s[p.pos & 1023u]; }
        if (t == 10u && (s[(p.pos ^ p.h) & 1023u] & 7u) == 0u) { p.err = 5; break; }
    }
    return depth;
}

extern "C" __global__ void parse_expr(unsigned *out, const unsigned *in, int n)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    P p;
    p.pos = gid * 23u; p.end = p.pos + (unsigned)n; p.err = 0; p.h = gid;
    unsigned acc = 0, errs = 0;
    for (int st = 0; st < 7 && p.pos < p.end; st++) {
        unsigned v = expr<2>(p);
        if (p.err) {
            errs = errs * 6u + p.err;
            if (p.err == 3u) break;
            p.err = 0;
            while (p.pos < p.end && tok(p) != 8u) p.pos++;       // panic-mode recovery
            continue;
        }
        acc = acc * 5u + v + s[(v ^ acc) & 1023u];
    }
    out[gid] = acc ^ p.h ^ (errs << 16);
}
}

namespace in_qsort_lane {
// Each lane quicksorts 6..n indices by shared keys: Hoare partition, insertion sort below a cut-off, explicit stack.
extern "C" __global__ void qsort_lane(unsigned *out, const unsigned *in, unsigned *idx, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *a = idx + (gid % 96u) * 24u;
    if (n > 24) n = 24;
    if (n < 8) n = 8;
    int len = 6 + (int)(s[gid & 1023u] % (unsigned)(n - 5));
    for (int i = 0; i < len; i++) a[i] = (gid * 11u + (unsigned)i * 3u) & 1023u;
    unsigned long long stack = 0;
    int depth = 0, lo = 0, hi = len - 1, fuel = 60;
    unsigned h = 0;
    for (;;) {
        if (--fuel < 0) { h ^= s[(h + 1u) & 1023u]; break; }
        if (hi - lo < 4) {
            for (int i = lo + 1; i <= hi; i++) {
                unsigned k = a[i], kv = s[k];
                int j = i;
                while (j > lo && s[a[j - 1]] > kv) { a[j] = a[j - 1]; j--; }
                if (j != i) a[j] = k;
            }
            if (depth == 0) break;
            depth--;
            lo = (int)(stack & 31u);
            hi = (int)((stack >> 5) & 31u);
            stack >>= 10;
            continue;
        }
        int mid = (lo + hi) >> 1;
        unsigned x = s[a[lo]], y = s[a[mid]], z = s[a[hi]];
        unsigned pv;
        if (x < y) pv = y < z ? y : (x < z ? z : x);
        else pv = x < z ? x : (y < z ? z : y);
        int i = lo - 1, j = hi + 1;
        while (true) {
            do { i++; } while (i < hi && s[a[i]] < pv);
            do { j--; } while (j > lo && s[a[j]] > pv);
            if (i >= j) break;
            unsigned t = a[i]; a[i] = a[j]; a[j] = t;
            h += s[(t ^ h) & 1023u] & 255u;
        }
        if (j >= hi) j = hi - 1;
        if (j < lo) j = lo;
        if (j - lo > hi - j - 1) {
            if (depth < 6) { stack = (stack << 10) | (unsigned long long)(lo | (j << 5)); depth++; }
            lo = j + 1;
        } else {
            if (depth < 6) { stack = (stack << 10) | (unsigned long long)((j + 1) | (hi << 5)); depth++; }
            hi = j;
        }
    }
    unsigned bad = 0;
    for (int i = 1; i < len; i++) {
        if (s[a[i - 1]] > s[a[i]]) { bad++; if (bad > 2u) break; }
        else h = h * 3u + a[i];
    }
    out[gid] = h ^ (bad << 28);
}
}

namespace in_queens_back {
// Iterative n-queens (5 or 6) with squares forbidden by shared data, then subset-sum by include/exclude backtracking.
extern "C" __global__ void queens_back(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    int size = 5 + (int)(s[gid & 1023u] & 1u);
    unsigned cols = 0;                 // 4 bits a row: column + 1
    int row = 0, col = 0, sols = 0;
    unsigned h = 0;
    for (int fuel = n; ; ) {
        if (--fuel < 0) { h ^= s[(h + 2u) & 1023u]; break; }
        bool placed = false;
        for (; col < size; col++) {
            if ((s[(gid + (unsigned)(row * 8 + col)) & 1023u] & 7u) == 0u) continue;
            bool clash = false;
            for (int r = 0; r < row; r++) {
                int c = (int)((cols >> (4 * r)) & 15u) - 1;
                if (c == col || c - col == row - r || col - c == row - r) { clash = true; break; }
            }
            if (clash) continue;
            placed = true;
            break;
        }
        if (placed) {
            cols = (cols & ~(15u << (4 * row))) | ((unsigned)(col + 1) << (4 * row));
            if (row + 1 < size) { row++; col = 0; continue; }
            sols++;
            h = h * 5u + s[(cols ^ h) & 1023u];
            if (sols == 3) break;
            col++;
            continue;
        }
        if (row == 0) { h += s[(gid * 3u) & 1023u]; break; }
        row--;
        col = (int)((cols >> (4 * row)) & 15u);
    }
    // subset sum over 8 items
    int target = 60 + (int)(s[(h >> 3) & 1023u] & 127u), sum = 0, depth = 0;
    unsigned taken = 0, nodes = 0;
    bool found = false;
    while (true) {
        nodes++;
        if (nodes > 50u) goto report;
        if (sum == target || (sum > target - 3 && (s[(taken + h) & 1023u] & 1u))) { found = true; break; }
        if (depth < 8 && sum < target) {
            int item = 5 + (int)(s[(gid * 9u + (unsigned)depth) & 1023u] & 63u);
            if (sum + item <= target + 4) { taken |= 1u << depth; sum += item; }
            depth++;
            continue;
        }
        // backtrack to the last taken item
        do {
            if (depth == 0) goto report;
            depth--;
        } while (!((taken >> depth) & 1u));
        taken &= ~(1u << depth);
        sum -= 5 + (int)(s[(gid * 9u + (unsigned)depth) & 1023u] & 63u);
        depth++;
    }
    h ^= s[(nodes * 7u) & 1023u];
report:
    out[gid] = h ^ ((unsigned)sols << 28) ^ (nodes << 16) ^ (found ? s[taken & 1023u] : taken);
}
}

namespace in_reject_sample {
// Rejection samplers: unbiased range, disc, ziggurat-like layers with tail loop, each with retry limits.
__device__ __forceinline__ unsigned rnd(const unsigned *s, unsigned &st)
{
    st = st * 1664525u + 1013904223u;
    return s[(st >> 16) & 1023u] ^ (st << 7);
}

extern "C" __global__ void reject_sample(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned st = gid * 69069u + 5u, sum = 0, fails = 0;
    for (int k = 0; k < n; k++) {
        unsigned range = 3u + (rnd(s, st) & 63u), v;
        int tries = 0;
        do {
            v = rnd(s, st) & 127u;
            if (++tries > 9) { fails++; goto next; }
            if (v == 13u) continue;
        } while (v >= range && (v & 15u) >= range / 4u);
        sum = sum * 3u + v;
        {
            int x, y;
            for (;;) {
                unsigned r = rnd(s, st);
                x = (int)(r & 255u) - 128;
                y = (int)((r >> 8) & 255u) - 128;
                int d = x * x + y * y;
                if (d == 0) continue;
                if (d < 10000 && !(d < 900 && (r >> 31))) break;
                if (d > 24000) { sum ^= s[(unsigned)d & 1023u]; goto ziggurat; }
            }
            if (x < 0 ? (y < 0 || (s[(unsigned)(x + 128) & 1023u] & 1u)) : (y > 64 && (s[(unsigned)(y + 128) & 1023u] & 2u)))
                continue;
            sum += (unsigned)(x - y);
        }
    ziggurat:
        for (int t = 0; t < 12; t++) {
            unsigned r = rnd(s, st), layer = r & 7u, u = (r >> 3) & 1023u;
            if (u < 600u + layer * 40u) { sum += u; break; }
            if (layer == 0u) {
                unsigned tail = 0;
                while ((rnd(s, st) & 3u) != 0u && tail < 10u) tail++;
                if (tail & 1u) { sum += tail + s[tail * 50u]; break; }
                continue;
            }
            unsigned w = s[(layer * 128u + (u & 127u)) & 1023u] & 1023u;
            if (w < 300u) { sum ^= w; break; }
        }
    next:;
        if (fails > 3u) break;
    }
    out[gid] = sum ^ (fails << 28);
}
}

namespace in_rules_game {
// A card game's rules: judged by inlined functions with many early returns, called from several places.
__shared__ unsigned s[1024];

__device__ __forceinline__ int legal(unsigned card, unsigned top, unsigned hand, int pend)
{
    unsigned suit = card & 3u, rank = (card >> 2) & 15u;
    if (hand == 0u) return -1;
    if (pend > 0) {
        if (rank == 2u) return 3;
        if (rank == 14u && (s[(card + hand) & 1023u] & 1u)) return 4;
        return -2;
    }
    if (rank == 8u) return 2;
    if (suit == (top & 3u)) {
        if (rank == 11u || rank == 12u) return 5 + (int)(s[(rank * 64u + suit) & 1023u] & 1u);
        return 1;
    }
    if (rank == ((top >> 2) & 15u)) return 1;
    if ((hand & 7u) == 1u && (s[hand & 1023u] & 12u) == 4u) return 2;
    return 0;
}

__device__ __forceinline__ int score(unsigned h, int streak)
{
    if (streak == 0) return 0;
    unsigned v = s[(h ^ (unsigned)streak) & 1023u];
    if (streak < 3) {
        if (v & 1u) return 1;
        return streak + (int)(s[v & 1023u] & 1u);
    }
    for (int i = 0; i < streak && i < 6; i++) {
        if ((v >> (4 * i) & 15u) == 0u) return i;
        if ((v >> (4 * i) & 15u) == 15u) return -(int)(s[(v >> 5) & 1023u] & 7u);
    }
    return streak * 2;
}

extern "C" __global__ void rules_game(unsigned *out, const unsigned *in, int n)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned deck = gid * 17u, hand = 7u + (gid & 3u), top = s[gid & 1023u], h = 0;
    int pend = 0, streak = 0, points = 0, skips = 0;
    for (int turn = 0; turn < n; turn++) {
        if (skips > 0) { skips--; continue; }
        unsigned card = s[deck++ & 1023u];
        int r = legal(card, top, hand, pend);
        if (r == -1) { points += 50; break; }
        if (r == -2) {
            while (pend > 0) {
                pend--;
                hand++;
                unsigned d = s[deck++ & 1023u];
                if ((d & 63u) == 63u) break;
                h ^= d;
            }
            streak = 0;
            continue;
        }
        if (r == 0) {
            int again = legal(s[deck & 1023u], top, hand + 1u, 0);
            if (again > 0) { deck++; h += s[(h + deck) & 1023u]; }
            else { hand++; points += score(h, streak); streak = 0; if (hand > 20u) break; continue; }
        }
        switch (r) {
        case 3: pend += 2; h ^= s[(h >> 3) & 1023u];    // fallthrough
        case 4: streak++; break;
        case 5: skips = 1;                              // fallthrough
        case 6:
            if (score(h + 1u, streak) > 2) { points++; goto played; }
            skips++;
            break;
        case 2: card = (card & ~3u) | (s[(hand * 33u) & 1023u] & 3u); break;
        default: streak++;
        }
        h = h * 3u + s[(card >> 6) & 1023u];
    played:
        top = card;
        hand--;
    }
    points += score(h, streak);
    out[gid] = h ^ ((unsigned)points << 16) ^ hand ^ ((unsigned)streak << 8);
}
}

namespace in_short_circ {
// Short-circuit conditions with loads in if, while, for and do-while: (a&&b)||(c&&d), (a||b)&&(c||d), negations.
extern "C" __global__ void short_circ(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = gid * 0x10001u + 77u, p = gid, hits = 0;
#define A(i, m) (s[(i) & 1023u] & (m))
    for (int i = 0; i < n && (A(h, 7u) || (i < 12 && A(p + h, 24u))); i++) {
        unsigned w = s[(p + (unsigned)i * 3u) & 1023u];
        if ((A(w, 1u) && A(w >> 4, 2u)) || (A(w >> 8, 4u) && A(h >> 2, 8u))) {
            h += s[(w >> 3) & 1023u];
            hits++;
        } else if ((!A(w + 1u, 1u) || A(w + 2u, 2u)) && (A(h + 3u, 4u) || !A(h + 4u, 12u))) {
            h ^= s[(w >> 6) & 1023u];
            if (hits > 2u && A(h, 1u) && !A(h >> 3, 2u)) continue;
            h++;
        } else {
            int k = 0;
            while (k < 5 && !A(w + (unsigned)k * 9u, 16u) && ((w >> k) & 1u || A(h + (unsigned)k, 32u))) {
                h = h * 3u + 1u;
                k++;
            }
            if (k == 0) { p += s[h & 1023u] & 15u; continue; }
        }
        unsigned q = w & 1023u;
        int guard = 0;
        do {
            q = s[q] >> 7 & 1023u;
            if ((q & 3u) == 3u && A(q, 64u)) break;
            if ((q & 12u) == 12u || (A(q + 5u, 3u) == 3u && hits & 1u)) continue;
            h += q;
        } while (++guard < 6 && (A(q, 1u) || (q > 300u && A(q ^ h, 6u))));
        bool cond = (hits & 1u ? A(h, 2u) != 0u : A(h >> 1, 2u) == 0u) && (guard < 3 || A(q + 1u, 128u) != 0u);
        if (cond && ((h & 1u) || A(h >> 7, 1u)) && !(A(p, 4u) && A(p + 1u, 8u))) {
            h -= s[(q + p) & 1023u];
            if (((h >> 4) & 15u) == 7u || (hits > 9u && A(hits * 50u, 1u))) goto leave;
        }
        p += 1u + (w >> 30);
    }
    h ^= s[(h >> 11) & 1023u];
leave:
    if (!(hits == 0u || A(h, 1u)) || (hits > 4u && !A(h >> 5, 3u))) h += s[(hits * 111u) & 1023u];
    out[gid] = h ^ (hits << 26) ^ p;
}
}
#undef A

namespace in_skiplist {
// Skip list search over implicit towers; node i has as many levels as its tag's trailing zeros.
__shared__ unsigned s[1024];

__device__ __forceinline__ int nextAt(int node, int level)
{
    // next node to the right whose tower reaches `level`, giving up after a few
    for (int k = 1; k <= (3 << level) && node + k < 1024; k++) {
        unsigned tag = s[node + k];
        if (level == 0) return node + k;
        if ((tag & ((1u << level) - 1u)) == 0u) return node + k;
        if (k > 9 && (tag & 0x70u) == 0x10u) return -1;
    }
    return -2;
}

extern "C" __global__ void skiplist(unsigned *out, const unsigned *in, int n)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = gid * 2654435761u, hits = 0, miss = 0;
    for (int q = 0; q < n; q++) {
        int target = (int)((h >> 7) & 63u) + 20;
        int node = (int)(s[h & 1023u] & 511u), from = node;
        int level = 3, hops = 0;
        while (level >= 0) {
            if (++hops > 14) goto too_far;
            int nx = nextAt(node, level);
            if (nx < 0) {
                level--;
                if (nx == -1) h ^= s[(h >> 3) & 1023u];
                continue;
            }
            if (nx - from > target) { level--; h += s[nx & 1023]; continue; }
            node = nx;
            if (nx - from == target) break;
        }
        if (level >= 0) {
            hits++;
            h = h * 9u + s[node & 1023];
            if (hits > 5u) break;
        } else {
            miss++;
            if ((miss & 3u) == 3u || (s[(h >> 11) & 1023u] & 1u)) h += s[(unsigned)(node + 1) & 1023u];
            else h ^= h >> 5;
        }
        continue;
    too_far:
        h = (h ^ s[(unsigned)(node * 3) & 1023u]) * 1664525u + 1u;
    }
    out[gid] = h ^ (hits << 26) ^ (miss << 20);
}
}

namespace in_trie_walk {
// Path-compressed trie (Patricia-like) walked with longest-match, fail links and edge label comparison.
__device__ __forceinline__ int step(const unsigned *s, unsigned node, unsigned ch, unsigned *next)
{
    unsigned w = s[node & 1023u];
    if ((w & 7u) == 0u) return -1;                      // leaf
    unsigned kids = 1u + ((w >> 3) & 3u);
    for (unsigned k = 0; k < kids; k++) {
        unsigned e = s[(node * 4u + k + 1u) & 1023u];
        if (((e >> 5) & 3u) == ch) {
            *next = (e >> 8) & 1023u;
            if (e & 0x80000000u) return 2;              // compressed edge
            return 1;
        }
        if (((e >> 5) & 3u) > ch && (e & 1u)) break;    // sorted kids
    }
    if ((w >> 20) & 1u) { *next = s[(node ^ 0x2AAu) & 1023u] & 1023u; return 0; }
    return -2;
}

extern "C" __global__ void trie_walk(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = 0, matches = 0, pos = gid * 7u;
    for (int word = 0; word < n; word++) {
        unsigned node = s[pos & 1023u] & 1023u, text = s[(pos + 1u) & 1023u];
        int depth = 0, longest = -1;
        for (; depth < 10; depth++) {
            unsigned ch = (text >> (2 * depth)) & 3u, nx = 0;
            int r = step(s, node, ch, &nx);
            if (r == -1) { longest = depth; h += s[node & 1023u]; break; }
            if (r == -2) break;
            if (r == 0) {
                node = nx;
                if ((s[nx & 1023u] & 12u) != 0u) continue;
                depth += 2;
            } else if (r == 2) {
                unsigned label = s[(nx + 5u) & 1023u];
                int l = 0;
                while (l < 3 && ((label >> (2 * l)) & 1u) == ((text >> (2 * (depth + l))) & 1u)) l++;
                if (l == 0) { h ^= label; goto mismatch; }
                depth += l - 1;
                node = label & 1023u;
            } else node = nx;
            if (s[node & 1023u] & 0x100u) longest = depth;
        }
        if (longest < 0) { pos += 1u; continue; }
        matches++;
        pos += (unsigned)longest + 1u;
        h = h * 7u + s[(h + (unsigned)longest) & 1023u];
        continue;
    mismatch:
        if ((matches & 1u) && (s[(h >> 9) & 1023u] & 2u)) break;
        pos += 3u + (s[(pos ^ h) & 1023u] & 1u);
    }
    out[gid] = h ^ (matches << 24) ^ pos;
}
}

namespace in_varint_utf8 {
// Byte stream in shared words: decodes UTF-8, LEB128 and VLQ records with goto error handling and resync.
__shared__ unsigned s[1024];

__device__ __forceinline__ unsigned byteAt(unsigned p)
{
    return (s[(p >> 2) & 1023u] >> ((p & 3u) * 8u)) & 255u;
}

extern "C" __global__ void varint_utf8(unsigned *out, const unsigned *in, int n)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned p = gid * 16u, end = p + (unsigned)n;
    unsigned acc = 0, good = 0, bad = 0;
    unsigned mode = gid % 3u;
    while (p < end) {
        unsigned b = byteAt(p++);
        unsigned v;
        int need;
        if (mode == 0) {
            if (b < 0x80u) { acc += b; good++; continue; }
            if (b < 0xC0u) goto resync;
            if (b < 0xE0u) { need = 1; v = b & 31u; }
            else if (b < 0xF0u) { need = 2; v = b & 15u; acc ^= s[b]; }
            else if (b < 0xF8u) { need = 3; v = b & 7u; }
            else goto bad_record;
            while (need > 0) {
                if (p >= end) goto done;
                unsigned c = byteAt(p);
                if ((c & 0xC0u) != 0x80u) {
                    if ((c & 0x81u) == 0x81u && (s[(acc + c) & 1023u] & 3u)) { p++; need--; continue; }
                    goto bad_record;
                }
                v = (v << 6) | (c & 63u);
                p++;
                need--;
            }
            if (v < 0x80u || (v >= 0xD800u && v < 0xE000u) || v > 0x10FFFFu) goto bad_record;
            acc = acc * 33u + v;
            good++;
        } else if (mode == 1) {
            int shift = 0;
            v = b & 127u;
            while (b & 128u) {
                shift += 7;
                if (shift > 28) { bad += 16u; goto bad_record; }
                if (p >= end) goto done;
                b = byteAt(p++);
                v |= (b & 127u) << shift;
            }
            if (shift == 0 || (v & 1u)) acc += v;
            else acc ^= s[(v >> 3) & 1023u];
            good++;
            if ((v & 7u) == 5u) { mode = 2; acc += s[(acc >> 5) & 1023u]; }
        } else {
            v = b & 63u;
            do {
                if (!(b & 64u)) break;
                b = byteAt(p++);
                if (b == 0 || (b & 0x1Fu) == 9u) continue;
                v = (v << 5) + (b & 31u);
                acc ^= s[(v + b) & 1023u];
            } while (p < end);
            acc -= v;
            good++;
            if ((b & 12u) == 12u) mode = 0;
        }
        continue;
    bad_record:
        bad++;
        acc ^= s[(acc ^ bad) & 1023u];
        if (bad > 20u) break;
        if (!(s[(acc + p) & 1023u] & 1u)) continue;
    resync:
        while (p < end && (byteAt(p) & 0xC0u) == 0x80u) p++;
        bad += 256u;
    }
done:
    out[gid] = acc ^ (good << 24) ^ (bad << 4) ^ s[(good + bad) & 1023u];
}
}

namespace in_vm_switch {
// A register VM: fetch, switch with fallthrough, jumps, loop opcode, call/return stack, traps with retry.
extern "C" __global__ void vm_switch(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pc = gid * 11u, a = gid, b = 1, flags = 0, traps = 0;
    unsigned long long frames = 0;
    int depth = 0, fuel = n, halt = 0;
    while (fuel-- > 0) {
        unsigned op = s[pc & 1023u];
        pc++;
        if ((op & 0xF0000000u) == 0xF0000000u) continue;         // nop
        unsigned imm = (op >> 8) & 1023u;
        switch ((op >> 2) % 14u) {
        case 0:
            a = s[imm];
            // fallthrough
        case 1:
            flags = (a == 0u) | (a >> 31 << 1);
            continue;
        case 2: b = s[(imm + a) & 1023u]; break;
        case 3: a += b; if (a >= b) break; flags |= 4u;
            // fallthrough
        case 4: a ^= s[(a >> 5) & 1023u]; break;
        case 5:
            if (flags & 2u) { pc = imm; fuel--; continue; }
            break;
        case 6:
            if (!(flags & 1u) && (b & 3u) != 0u) { pc += imm & 7u; b--; continue; }
            b >>= 1;
            break;
        case 7:
            if (depth < 4) { frames = (frames << 10) | (pc & 1023u); depth++; pc = imm; continue; }
            goto trap;
        case 8:
            if (depth == 0) { if ((imm & 7u) == 1u) { halt = 1; goto halted; } goto trap; }
            pc = (unsigned)(frames & 1023u);
            frames >>= 10;
            depth--;
            break;
        case 9: {
            int cnt = (int)(imm & 7u);
            while (cnt-- > 0) {
                unsigned v = s[(a + (unsigned)cnt) & 1023u];
                if ((v & 7u) == 6u) break;
                if ((v & 7u) == 5u) goto trap;
                b += v;
            }
            break;
        }
        case 10:
            if ((a & b & 1u) || (s[(a ^ b) & 1023u] & 8u)) a = b;
            else flags ^= 2u;
            break;
        case 11: b = b * 3u + s[(b >> 3) & 1023u];
            // fallthrough
        case 12:
            if (imm < 40u) { halt = 2; goto halted; }
            // fallthrough
        default:
            a -= b;
        }
        flags = (flags & 6u) | (s[(a + pc) & 1023u] & 1u);
        continue;
    trap:
        traps++;
        a = s[(a ^ traps) & 1023u];
        if (traps == 5u) { halt = 3; break; }
        if ((a & 3u) == 1u) depth = 0;
        else if ((a & 3u) == 2u && depth > 0) { depth--; frames >>= 10; }
    }
    b ^= s[pc & 1023u];
halted:
    out[gid] = a ^ b ^ (flags << 3) ^ (traps << 24) ^ ((unsigned)halt << 28) ^ s[(a + (unsigned)depth) & 1023u];
}
}
