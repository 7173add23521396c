// For libpng and libjpeg in a browser, where there is no way back: what they would leave by longjmp ends the instance, and
// the page begins another one.
#pragma once
typedef int jmp_buf[1];
#define setjmp(buffer) (0)
#ifdef __cplusplus
extern "C" {
#endif
static inline __attribute__((noreturn)) void longjmp(jmp_buf buffer, int value) {
  (void)buffer;
  (void)value;
  __builtin_trap();
}
#ifdef __cplusplus
}
#endif
