/* A source that the host reads: sizes known and unknown, a reader that fails, lies, or ends early. */
#include "objects.h"

typedef struct host {
  const unsigned char *data;
  size_t size;
  int64_t says;
  int mode; /* 1: fails, 2: says more than it was asked for, 3: ends early */
  int dropped;
} host;

static int64_t size_of(void *userdata) { return ((host *)userdata)->says; }

static int64_t read_at(void *userdata, uint64_t at, void *buffer, size_t room) {
  host *from = userdata;
  size_t left = at < from->size ? from->size - (size_t)at : 0, count = left < room ? left : room;
  if (from->mode == 1) return -1;
  if (from->mode == 2) return (int64_t)room + 1;
  if (from->mode == 3) return 0;
  if (count > 5) count = 5;
  memcpy(buffer, from->data + at, count);
  return (int64_t)count;
}

static void drop(void *userdata) { ((host *)userdata)->dropped++; }

static pon_status opened(objects *all, host *from, pon_import **import) {
  pon_reader reader;
  pon_source *source = NULL;
  pon_import_options options;
  pon_status status;
  memset(&reader, 0, sizeof reader);
  reader.struct_size = sizeof reader;
  reader.userdata = from;
  reader.drop = drop;
  MUST(pon_source_reader(all->context, &reader, &source, all->faults) == PON_E_NULL && from->dropped == 0);
  reader.size = size_of;
  reader.read = read_at;
  status = pon_source_reader(all->context, &reader, &source, all->faults);
  if (status != PON_OK) {
    MUST(from->dropped == 0);
    return status;
  }
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.network = all->description;
  status = pon_import_open(all->context, source, &options, import, all->faults);
  pon_source_free(source);
  return status;
}

int main(void) {
  objects all = objects_new();
  const void *data;
  size_t size;
  pon_import *import = NULL;
  pon_network *network = NULL;
  pon_session *session = NULL;
  MUST(pon_bytes_get(all.bytes, &data, &size) == PON_OK);
  for (int unknown = 0; unknown < 2; unknown++) {
    host good = {data, size, unknown ? -1 : (int64_t)size, 0, 0};
    MUST(opened(&all, &good, &import) == PON_OK);
    MUST(pon_import_network(import, &network, all.faults) == PON_OK);
    pon_import_free(import);
    MUST(good.dropped == 1);
    MUST(pon_session_new(network, NULL, &session, all.faults) == PON_OK);
    answers(session, 21.5f);
    pon_session_free(session);
    pon_network_free(network);
  }
  for (int mode = 1; mode <= 3; mode++) {
    host bad = {data, size, (int64_t)size, mode, 0};
    MUST(opened(&all, &bad, &import) == (mode == 3 ? PON_E_TRUNCATED : PON_E_IO));
    MUST(bad.dropped == 1);
  }
  objects_free(&all);
  return 0;
}
