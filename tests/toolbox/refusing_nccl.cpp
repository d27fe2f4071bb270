// A fake NCCL library that creates no communicators and rejects messages.
extern "C" {

constexpr int invalid_usage = 5;

int ncclCommInitAll(void**, int, const int*) { return invalid_usage; }
int ncclGroupStart() { return 0; }
int ncclGroupEnd() { return invalid_usage; }
int ncclAllReduce(const void*, void*, unsigned long, int, int, void*, void*) { return invalid_usage; }
int ncclSend(const void*, unsigned long, int, int, void*, void*) { return invalid_usage; }
int ncclRecv(void*, unsigned long, int, int, void*, void*) { return invalid_usage; }
const char* ncclGetErrorString(int status) { return status == invalid_usage ? "invalid usage" : "no error"; }
}
