// The carry-chain instructions that multi-word arithmetic is made of: add, subtract and multiply-add of 32-bit words
// with a carry flag that one instruction leaves for the next. On the device each is one PTX instruction (ptxas joins a
// lo/hi pair into one IMAD.WIDE); on the host the flag is a variable, so that all arithmetic above runs, and is tested,
// without a GPU. Not for use outside field code: a call that touches no carry may stand between two that do, nothing
// else may.
#pragma once

#include "platform.cuh"

namespace pinion::cuda {

#if defined(__CUDA_ARCH__)

#define PINION_PTX(instruction, ...) asm volatile(instruction : "=r"(out) : __VA_ARGS__)
PINION_DEVICE u32 add_cc(u32 a, u32 b) {
  u32 out;
  PINION_PTX("add.cc.u32 %0, %1, %2;", "r"(a), "r"(b));
  return out;
}
PINION_DEVICE u32 addc_cc(u32 a, u32 b) {
  u32 out;
  PINION_PTX("addc.cc.u32 %0, %1, %2;", "r"(a), "r"(b));
  return out;
}
PINION_DEVICE u32 addc(u32 a, u32 b) {
  u32 out;
  PINION_PTX("addc.u32 %0, %1, %2;", "r"(a), "r"(b));
  return out;
}
PINION_DEVICE u32 sub_cc(u32 a, u32 b) {
  u32 out;
  PINION_PTX("sub.cc.u32 %0, %1, %2;", "r"(a), "r"(b));
  return out;
}
PINION_DEVICE u32 subc_cc(u32 a, u32 b) {
  u32 out;
  PINION_PTX("subc.cc.u32 %0, %1, %2;", "r"(a), "r"(b));
  return out;
}
PINION_DEVICE u32 subc(u32 a, u32 b) {
  u32 out;
  PINION_PTX("subc.u32 %0, %1, %2;", "r"(a), "r"(b));
  return out;
}
PINION_DEVICE u32 mul_lo(u32 a, u32 b) {
  return a * b;
}
PINION_DEVICE u32 mul_hi(u32 a, u32 b) {
  return __umulhi(a, b);
}
PINION_DEVICE u32 mad_lo_cc(u32 a, u32 b, u32 c) {
  u32 out;
  PINION_PTX("mad.lo.cc.u32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c));
  return out;
}
PINION_DEVICE u32 madc_lo_cc(u32 a, u32 b, u32 c) {
  u32 out;
  PINION_PTX("madc.lo.cc.u32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c));
  return out;
}
PINION_DEVICE u32 madc_lo(u32 a, u32 b, u32 c) {
  u32 out;
  PINION_PTX("madc.lo.u32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c));
  return out;
}
PINION_DEVICE u32 madc_hi_cc(u32 a, u32 b, u32 c) {
  u32 out;
  PINION_PTX("madc.hi.cc.u32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c));
  return out;
}
// a += b, eight words, if condition is not 0; without a branch, and without a flag before or after.
PINION_DEVICE void add_eight_if(u32* a, const u32* b, u32 condition) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %16, 0;\n\t"
      "@p add.cc.u32 %0, %0, %8;\n\t@p addc.cc.u32 %1, %1, %9;\n\t@p addc.cc.u32 %2, %2, %10;\n\t"
      "@p addc.cc.u32 %3, %3, %11;\n\t@p addc.cc.u32 %4, %4, %12;\n\t@p addc.cc.u32 %5, %5, %13;\n\t"
      "@p addc.cc.u32 %6, %6, %14;\n\t@p addc.u32 %7, %7, %15;\n\t}"
      : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3]), "+r"(a[4]), "+r"(a[5]), "+r"(a[6]), "+r"(a[7])
      : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(condition));
}
// The same for twelve words.
PINION_DEVICE void add_twelve_if(u32* a, const u32* b, u32 condition) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %24, 0;\n\t"
      "@p add.cc.u32 %0, %0, %12;\n\t@p addc.cc.u32 %1, %1, %13;\n\t@p addc.cc.u32 %2, %2, %14;\n\t"
      "@p addc.cc.u32 %3, %3, %15;\n\t@p addc.cc.u32 %4, %4, %16;\n\t@p addc.cc.u32 %5, %5, %17;\n\t"
      "@p addc.cc.u32 %6, %6, %18;\n\t@p addc.cc.u32 %7, %7, %19;\n\t@p addc.cc.u32 %8, %8, %20;\n\t"
      "@p addc.cc.u32 %9, %9, %21;\n\t@p addc.cc.u32 %10, %10, %22;\n\t@p addc.u32 %11, %11, %23;\n\t}"
      : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3]), "+r"(a[4]), "+r"(a[5]), "+r"(a[6]), "+r"(a[7]), "+r"(a[8]),
        "+r"(a[9]), "+r"(a[10]), "+r"(a[11])
      : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]),
        "r"(b[10]), "r"(b[11]), "r"(condition));
}
#undef PINION_PTX

#else

// As on the device, a subtraction adds the complement: its flag is 1 when it did not borrow, and the flag of an
// addition must not be read by a subtraction.
inline thread_local u64 carry_flag = 0;

inline u32 keep_carry(u64 wide) {
  carry_flag = wide >> 32;
  return static_cast<u32>(wide);
}
inline u32 add_cc(u32 a, u32 b) {
  return keep_carry(u64{a} + b);
}
inline u32 addc_cc(u32 a, u32 b) {
  return keep_carry(u64{a} + b + carry_flag);
}
inline u32 addc(u32 a, u32 b) {
  return static_cast<u32>(u64{a} + b + carry_flag);
}
inline u32 sub_cc(u32 a, u32 b) {
  return keep_carry(u64{a} + static_cast<u32>(~b) + 1);
}
inline u32 subc_cc(u32 a, u32 b) {
  return keep_carry(u64{a} + static_cast<u32>(~b) + carry_flag);
}
inline u32 subc(u32 a, u32 b) {
  return static_cast<u32>(u64{a} + static_cast<u32>(~b) + carry_flag);
}
inline u32 mul_lo(u32 a, u32 b) {
  return static_cast<u32>(u64{a} * b);
}
inline u32 mul_hi(u32 a, u32 b) {
  return static_cast<u32>((u64{a} * b) >> 32);
}
inline u32 mad_lo_cc(u32 a, u32 b, u32 c) {
  return add_cc(mul_lo(a, b), c);
}
inline u32 madc_lo_cc(u32 a, u32 b, u32 c) {
  return addc_cc(mul_lo(a, b), c);
}
inline u32 madc_lo(u32 a, u32 b, u32 c) {
  return addc(mul_lo(a, b), c);
}
inline u32 madc_hi_cc(u32 a, u32 b, u32 c) {
  return addc_cc(mul_hi(a, b), c);
}
template <int N>
void add_words_if(u32* a, const u32* b, u32 condition) {
  if (condition == 0) return;
  a[0] = add_cc(a[0], b[0]);
  for (int j = 1; j < N; ++j) a[j] = addc_cc(a[j], b[j]);
}
inline void add_eight_if(u32* a, const u32* b, u32 condition) {
  add_words_if<8>(a, b, condition);
}
inline void add_twelve_if(u32* a, const u32* b, u32 condition) {
  add_words_if<12>(a, b, condition);
}

#endif

}  // namespace pinion::cuda
