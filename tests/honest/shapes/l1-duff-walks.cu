// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: Duff's device with two pointers that walk, goto instead of return, old C style
LAUNCH(256, 1, 8192, 1)

#define SIDE_BY_SIDE 256	/* threads of the block, that is, floats of one turn */
#define TURNS 32
#define GIVE_ONE (*to = *from, to += SIDE_BY_SIDE, from += SIDE_BY_SIDE)

__global__ void copy(float *out, const float *in, int n)
{
	int first, left, turns, rounds;
	const float *from;
	float *to;

	first = blockIdx.x * (SIDE_BY_SIDE * TURNS) + threadIdx.x;
	left = n - first;		/* floats from mine to the end of the array */
	if (left <= 0)
		goto nothing;

	/* how often do I come across an existing float? */
	turns = (left - 1) / SIDE_BY_SIDE + 1;
	if (turns > TURNS)
		turns = TURNS;

	from = in + first;
	to = out + first;
	rounds = (turns + 7) >> 3;
	switch (turns & 7) {
	case 0:	do {	GIVE_ONE;
	case 7:		GIVE_ONE;
	case 6:		GIVE_ONE;
	case 5:		GIVE_ONE;
	case 4:		GIVE_ONE;
	case 3:		GIVE_ONE;
	case 2:		GIVE_ONE;
	case 1:		GIVE_ONE;
		} while (--rounds);
	}
nothing:
	return;
}
