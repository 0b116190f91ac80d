/* A thread that reads ahead calls nothing of the host but its allocator: a reader is asked, and what was lent is given back, on threads
 * that are in a call. */
#include "held.h"
#include "objects.h"
#include <pthread.h>

typedef struct host {
  held bytes;
  pthread_t mine;
  int asked, given_back;
} host;

static int64_t read_at(void *userdata, uint64_t at, void *buffer, size_t room) {
  host *from = userdata;
  MUST(pthread_equal(pthread_self(), from->mine));
  from->asked++;
  return held_read(&from->bytes, at, buffer, room);
}

static void give_back(void *userdata) {
  host *from = userdata;
  MUST(pthread_equal(pthread_self(), from->mine));
  from->given_back++;
}

static pon_source *source_of(host *from, int reads) {
  pon_source *source = NULL;
  if (reads) {
    pon_reader reader = held_reader(&from->bytes);
    reader.userdata = from;
    reader.read = read_at;
    reader.drop = give_back;
    MUST(pon_source_reader(NULL, &reader, &source, NULL) == PON_OK);
  } else {
    MUST(pon_source_bytes(NULL, from->bytes.data, from->bytes.size, give_back, from, &source) == PON_OK);
  }
  return source;
}

/* The numbers of the network of objects.h, one example without end. */
static void batches(host *from, int reads) {
  static const pon_str tops[2] = {{"0___weight", 10}, {"0___bias", 8}};
  const int64_t weight_shape[2] = {3, 2}, bias_shape[1] = {3};
  float weight[6], bias[3];
  pon_source *source = source_of(from, reads);
  pon_dataset *set = NULL;
  pon_dataset_options options;
  pon_view views[2];
  int asked;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.batch = 3;
  options.tops = tops;
  options.tops_count = 2;
  options.ahead = 2;
  MUST(pon_dataset_open(NULL, source, &options, &set, NULL) == PON_OK);
  pon_source_free(source);
  asked = from->asked;
  views[0] = packed(weight, PON_DTYPE_F32, 2, weight_shape);
  views[1] = packed(bias, PON_DTYPE_F32, 1, bias_shape);
  for (uint64_t round = 1; round <= 5; round++) {
    MUST(pon_dataset_next(set, views, 2, NULL) == PON_OK && pon_dataset_epoch(set) == 3 * round);
    MUST(weight[4] == 1 && weight[5] == 2 && bias[2] == 0.5f);
  }
  MUST(from->given_back == 0 && from->asked == asked && (asked > 0) == reads);
  pon_dataset_free(set);
  MUST(from->given_back == 1);
}

int main(void) {
  objects all = objects_new();
  for (int reads = 0; reads < 2; reads++) {
    for (int round = 0; round < 20; round++) {
      const void *data;
      host from;
      memset(&from, 0, sizeof from);
      from.mine = pthread_self();
      MUST(pon_bytes_get(all.model, &data, &from.bytes.size) == PON_OK);
      from.bytes.data = data;
      batches(&from, reads);
    }
  }
  objects_free(&all);
  return 0;
}
