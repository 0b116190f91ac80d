/* The host's allocator gets every allocation, with sizes and alignments that match when they come back. */
#include "objects.h"

static long blocks, bytes, given;

static void *allocate(void *userdata, size_t size, size_t align) {
  MUST(userdata == &blocks && align > 0 && (align & (align - 1)) == 0 && size > 0);
  blocks++;
  given++;
  bytes += (long)size;
  return aligned_alloc(align, (size + align - 1) / align * align);
}

static void release(void *userdata, void *block, size_t size, size_t align) {
  MUST(userdata == &blocks && block != NULL && align > 0);
  blocks--;
  bytes -= (long)size;
  free(block);
}

int main(void) {
  pon_allocator allocator;
  long blocks_before, bytes_before;
  objects all;
  memset(&allocator, 0, sizeof allocator);
  MUST(pon_set_allocator(NULL) == PON_E_NULL);
  MUST(pon_set_allocator(&allocator) == PON_E_STRUCT_SIZE);
  allocator.struct_size = sizeof allocator;
  allocator.userdata = &blocks;
  MUST(pon_set_allocator(&allocator) == PON_E_NULL);
  allocator.allocate = allocate;
  allocator.release = release;
  MUST(pon_set_allocator(&allocator) == PON_OK);
  MUST(pon_set_allocator(&allocator) == PON_E_TOO_LATE);
  all = objects_new();
  answers(all.session, 21.5f);
  MUST(given > 0 && blocks > 0);
  objects_free(&all);
  blocks_before = blocks;
  bytes_before = bytes;
  for (int round = 0; round < 50; round++) {
    all = objects_new();
    answers(all.session, 21.5f);
    objects_free(&all);
  }
  MUST(blocks == blocks_before && bytes == bytes_before);
  return 0;
}
