// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: a beginner: verbose names, no cleverness, dynamic shared memory asked for in LAUNCH, an if / else chain, everything spelled out
LAUNCH(32, 8, 32, 32, 4224)

// I need an array of 32 rows with 33 floats each. Only the first 32 of each row are used.
extern __shared__ float my_shared_array[];

__device__ int compute_position_in_shared_array(int which_row, int which_column)
{
    int number_of_floats_in_one_row = 33;
    int position = which_row * number_of_floats_in_one_row + which_column;
    return position;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int my_thread_x = threadIdx.x;
    int my_thread_y = threadIdx.y;

    // STEP 1: copy from "in" to the shared array
    int round_number = 0;
    while (round_number < 4) {
        int tile_row = my_thread_y + round_number * 8;
        int tile_column = my_thread_x;
        int row_in_the_matrix = blockIdx.y * 32 + tile_row;
        int column_in_the_matrix = blockIdx.x * 32 + tile_column;
        if (row_in_the_matrix >= height) {
            // nothing to do, below the matrix
        } else if (column_in_the_matrix >= width) {
            // nothing to do, to the right of the matrix
        } else {
            float the_value = in[row_in_the_matrix * width + column_in_the_matrix];
            my_shared_array[compute_position_in_shared_array(tile_row, tile_column)] = the_value;
        }
        round_number = round_number + 1;
    }

    // STEP 2: wait for everybody!!!
    __syncthreads();

    // STEP 3: copy from the shared array to "out"
    round_number = 0;
    while (round_number < 4) {
        int row_in_the_result = blockIdx.x * 32 + my_thread_y + round_number * 8;
        int column_in_the_result = blockIdx.y * 32 + my_thread_x;
        bool is_row_ok = row_in_the_result < width;
        bool is_column_ok = column_in_the_result < height;
        if (is_row_ok == true && is_column_ok == true) {
            // row and column are swapped here, because it is a transpose
            float the_value = my_shared_array[compute_position_in_shared_array(my_thread_x, my_thread_y + round_number * 8)];
            out[row_in_the_result * height + column_in_the_result] = the_value;
        }
        round_number = round_number + 1;
    }
}
