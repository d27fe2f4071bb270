// A 16-bit cyclic checksum of every 64-byte packet, one bit after the other as in a microcontroller's manual.
// Someone who decodes logged radio or serial traffic would write it.
/* sextant
name = "packet_crc16"
formula = "crc[p] = remainder of packet p's 64 bytes, polynomial 0x1021, start 0xffff"
sizes = { packets = "max(1, N / 65)" }
arrays = [
  { name = "bytes", role = "in", length = "64 * packets", type = "uint8" },
  { name = "crc", role = "out", length = "packets", type = "uint16" },
]
work = { items = "packets" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "check_packets"
arguments = ["packets", "bytes", "crc"]

[variant."openmp.packets"]
function = "check_packets_threads"
arguments = ["packets", "bytes", "crc"]

[variant."cuda.packets"]
function = "check_packets_kernel"
arguments = ["int(packets)", "bytes", "crc"]
block = [256]
grid = ["ceil_div(packets, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
__device__
#else
static inline
#endif
    unsigned short
    crc_of(const unsigned char* packet) {
  unsigned crc = 0xffff;
  for (int i = 0; i < 64; ++i) {
    crc ^= unsigned(packet[i]) << 8;
    for (int bit = 0; bit < 8; ++bit) {
      if (crc & 0x8000)
        crc = (crc << 1) ^ 0x1021;
      else
        crc = crc << 1;
      crc &= 0xffff;
    }
  }
  return crc;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void check_packets_kernel(int packets, const unsigned char* bytes, unsigned short* crc) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < packets) crc[p] = crc_of(bytes + 64LL * p);
}
#else
void check_packets(long packets, const unsigned char* bytes, unsigned short* crc) {
  for (long p = 0; p < packets; ++p) crc[p] = crc_of(bytes + 64 * p);
}

void check_packets_threads(long packets, const unsigned char* bytes, unsigned short* crc) {
  #pragma omp parallel for
  for (long p = 0; p < packets; ++p) crc[p] = crc_of(bytes + 64 * p);
}
#endif
