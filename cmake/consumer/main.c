/* Asks the library who it is. */
#include <pontil.h>
#include <stdio.h>

int main(void) {
  pon_str text;
  if (pon_check(PON_ABI, PON_HEADER) != PON_OK || pon_build_info(&text) != PON_OK) return 1;
  puts(text.data);
  return 0;
}
