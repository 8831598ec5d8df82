// lesson 3; device sim,gpu; nvcc,clang; want: refused; tries: a main and no kernel
LAUNCH(32, 32, 32, 32)

int main()
{
    return 0;
}
