// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: lanes interpret the accesses, written in reverse Polish strings, each lane a puzzle of its own
// L is the lane, digits are pushed, + * / % ^ < as in C. What stands before the colon is how many words
// a lane wants (m: a row for ldmatrix). ? takes a value and a condition, and keeps the lane asleep if it is 0.
__constant__ char programs[25][24] = {
    "1:L",
    "1:L2*",
    "1:L3*",
    "1:L8*",
    "1:L12 *",
    "1:L32 *",
    "1:L33 *",
    "1:0",
    "1:L2/",
    "1:L2%32 *",
    "1:L4%8*",
    "1:L8/32 *L8%+",
    "1:L5*32 %L3%32 *+",
    "1:L32 *L16 <?",
    "1:L2*L2%1<?",
    "1:L8%4*",
    "1:L4/",
    "2:L2*",
    "4:L4*",
    "4:L8*",
    "4:0",
    "4:L36 *",
    "4:L8%8*L8/L8%^+4*",
    "m:L32 *",
    "m:L32 *L8%4*+",
};

struct Stack {
    int top = 0, below = 0, third = 0, fourth = 0;
    __device__ void push(int x)
    {
        fourth = third;
        third = below;
        below = top;
        top = x;
    }
    __device__ int pop()
    {
        int x = top;
        top = below;
        below = third;
        third = fourth;
        return x;
    }
};

__device__ int run(const char *text, int lane)
{
    Stack stack;
    while (char op = *text++) {
        if (op >= '0' && op <= '9') {
            int number = op - '0';
            // Two digits make one number where a space ends it.
            if (text[0] >= '0' && text[0] <= '9' && text[1] == ' ') {
                number = number * 10 + (*text - '0');
                text += 2;
            }
            stack.push(number);
            continue;
        }
        if (op == 'L') {
            stack.push(lane);
            continue;
        }
        int y = stack.pop(), x = stack.pop();
        switch (op) {
        case '+': stack.push(x + y); break;
        case '*': stack.push(x * y); break;
        case '/': stack.push(x / y); break;
        case '%': stack.push(x % y); break;
        case '^': stack.push(x ^ y); break;
        case '<': stack.push(x < y); break;
        case '?': stack.push(y ? x : -1); break;
        }
    }
    return stack.pop();
}

__global__ void answers(int *out)
{
    if (threadIdx.x >= 25)
        return;
    const char *text = programs[threadIdx.x];
    bool matrix = *text == 'm';
    int words = matrix ? 4 : *text - '0', group = 32 / words;
    text += 2;

    int word[32];
    for (int lane = 0; lane < 32; lane++)
        word[lane] = run(text, lane);
    if (words > 1 && !matrix) {
        bool one = true, two = true;
        for (int lane = 0; lane < 32; lane++) {
            one &= word[lane] == word[lane ^ 1];
            two &= word[lane] == word[lane ^ 2];
        }
        group <<= one || two;
    }

    // A bank takes a turn for each different word. In all, the fullest bank of each group.
    int turns = 0;
    for (int first = 0; first < 32; first += group) {
        int most = 0;
        for (int bank = 0; bank < 32; bank++) {
            unsigned long long rows = 0;  // words of this bank, by their row: at most 36 rows
            for (int lane = first; lane < first + group; lane++)
                for (int w = word[lane]; word[lane] >= 0 && w < word[lane] + words; w++)
                    if (w % 32 == bank)
                        rows |= 1ull << w / 32;
            most = max(most, __popcll(rows));
        }
        turns += most;
    }
    out[threadIdx.x] = turns;
}
