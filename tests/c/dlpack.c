/* DLPack both ways: flags, strides, offsets, who frees what and when. The structs are those of dlpack.h 1.x. */
#include "objects.h"

typedef struct DLManagedTensorVersioned {
  struct { uint32_t major, minor; } version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  struct {
    void *data;
    struct { int32_t device_type, device_id; } device;
    int32_t ndim;
    struct { uint8_t code, bits; uint16_t lanes; } dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
  } dl_tensor;
} DLManagedTensorVersioned;

static int deleted;

static void deleter(DLManagedTensorVersioned *self) {
  MUST(self->manager_ctx == &deleted);
  deleted++;
}

static void in(void) {
  float numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  int64_t shape[2] = {2, 2}, strides[2] = {1, 2};
  DLManagedTensorVersioned theirs;
  pon_tensor *tensor = NULL;
  pon_view view;
  memset(&theirs, 0, sizeof theirs);
  theirs.version.major = 2;
  theirs.manager_ctx = &deleted;
  theirs.deleter = deleter;
  theirs.dl_tensor.data = numbers;
  theirs.dl_tensor.device.device_type = 1;
  theirs.dl_tensor.ndim = 2;
  theirs.dl_tensor.dtype.code = 2;
  theirs.dl_tensor.dtype.bits = 32;
  theirs.dl_tensor.dtype.lanes = 1;
  theirs.dl_tensor.shape = shape;
  theirs.dl_tensor.strides = strides;
  theirs.dl_tensor.byte_offset = 16;
  MUST(pon_tensor_from_dlpack(&theirs, &tensor) == PON_E_ABI && tensor == NULL && deleted == 0);
  theirs.version.major = 1;
  theirs.dl_tensor.dtype.lanes = 2;
  MUST(pon_tensor_from_dlpack(&theirs, &tensor) == PON_E_VALUE && deleted == 0);
  theirs.dl_tensor.dtype.lanes = 1;
  theirs.dl_tensor.device.device_type = 2;
  MUST(pon_tensor_from_dlpack(&theirs, &tensor) == PON_E_VALUE && deleted == 0);
  theirs.dl_tensor.device.device_type = 1;
  theirs.flags = 1;
  MUST(pon_tensor_from_dlpack(&theirs, &tensor) == PON_OK && deleted == 0);
  MUST(pon_tensor_view(tensor, &view) == PON_OK && view.data == numbers + 4 && view.strides[1] == 2);
  MUST(pon_tensor_view_mut(tensor, &view) == PON_E_SHARED);
  pon_tensor_free(tensor);
  MUST(deleted == 1);
}

static void out(void) {
  const int64_t shape[2] = {2, 3};
  float numbers[6] = {0, 1, 2, 3, 4, 5};
  pon_view view = packed(numbers, PON_DTYPE_F32, 2, shape);
  DLManagedTensorVersioned *ours = NULL;
  pon_tensor *tensor = NULL, *back = NULL;
  MUST(pon_tensor_copy(NULL, &view, &tensor) == PON_OK);
  MUST(pon_tensor_to_dlpack(tensor, &ours) == PON_OK);
  MUST(pon_tensor_view_mut(tensor, &view) == PON_E_SHARED);
  pon_tensor_free(tensor);
  MUST(ours->version.major == 1 && ours->flags == 1 && ours->dl_tensor.ndim == 2);
  MUST(ours->dl_tensor.dtype.code == 2 && ours->dl_tensor.dtype.bits == 32 && ours->dl_tensor.dtype.lanes == 1);
  MUST(ours->dl_tensor.shape[1] == 3 && ours->dl_tensor.strides[0] == 3 && ours->dl_tensor.strides[1] == 1);
  MUST(((float *)ours->dl_tensor.data)[5] == 5 && ours->dl_tensor.device.device_type == 1);
  MUST(pon_tensor_from_dlpack(ours, &back) == PON_OK);
  MUST(pon_tensor_view(back, &view) == PON_OK && ((float *)view.data)[4] == 4);
  pon_tensor_free(back);
}

int main(void) {
  in();
  out();
  return 0;
}
