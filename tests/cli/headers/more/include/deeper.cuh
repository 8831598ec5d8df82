// Lies in the include of a folder beside the one that asks.
#define DEPTH 2
