/* Bytes in memory as a reader of the host gives them. */
#ifndef HELD_H
#define HELD_H

#include <pontil.h>
#include <string.h>

typedef struct held {
  const unsigned char *data;
  size_t size;
} held;

static int64_t held_size(void *userdata) { return (int64_t)((held *)userdata)->size; }

static int64_t held_read(void *userdata, uint64_t at, void *buffer, size_t room) {
  const held *from = userdata;
  size_t left = at < from->size ? from->size - (size_t)at : 0, count = left < room ? left : room;
  if (count > 0) memcpy(buffer, from->data + at, count);
  return (int64_t)count;
}

static inline pon_reader held_reader(held *from) {
  pon_reader reader;
  memset(&reader, 0, sizeof reader);
  reader.struct_size = sizeof reader;
  reader.userdata = from;
  reader.size = held_size;
  reader.read = held_read;
  return reader;
}

#endif
