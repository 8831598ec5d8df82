// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: all on one line, with digraphs and odd blanks
LAUNCH(256,1,8192,1)
__global__ void copy(float*out,const float*in,int n)<%for(int t=0,i=(int)(blockIdx.x*8192+threadIdx.x);t<32;++t,i+=256)if(i<n)out<:i:>=in<:i:>;%>
