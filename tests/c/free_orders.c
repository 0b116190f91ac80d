/* Frees context, source, import, network and session in every order; whatever is left still works. */
#include "objects.h"

static void free_one(objects *all, int which) {
  switch (which) {
    case 0: pon_context_free(all->context); break;
    case 1: pon_source_free(all->source); break;
    case 2: pon_import_free(all->import); break;
    case 3: pon_network_free(all->network); break;
    default: pon_session_free(all->session); break;
  }
}

static void one_order(const int order[5]) {
  objects all = objects_new();
  int freed[5] = {0, 0, 0, 0, 0};
  pon_params_free(all.params);
  pon_layout_free(all.layout);
  pon_description_free(all.description);
  pon_tensor_free(all.weight);
  pon_tensor_free(all.bias);
  pon_tensor_free(all.written);
  pon_evaluation_free(all.evaluation);
  pon_dataset_free(all.dataset);
  pon_bytes_free(all.model);
  for (int i = 0; i < 5; i++) {
    free_one(&all, order[i]);
    freed[order[i]] = 1;
    if (!freed[4]) answers(all.session, 21.5f);
    if (!freed[3]) MUST(pon_network_slots(all.network) == 2);
    if (!freed[2]) {
      pon_network *again = NULL;
      MUST(pon_import_network(all.import, &again, all.faults) == PON_OK);
      pon_network_free(again);
    }
  }
  pon_bytes_free(all.bytes);
  pon_cancel_free(all.cancel);
  pon_faults_free(all.faults);
}

static void orders(int order[5], int placed) {
  if (placed == 5) {
    one_order(order);
    return;
  }
  for (int which = 0; which < 5; which++) {
    int there = 0;
    for (int i = 0; i < placed; i++) there |= order[i] == which;
    if (!there) {
      order[placed] = which;
      orders(order, placed + 1);
    }
  }
}

int main(void) {
  int order[5];
  orders(order, 0);
  return 0;
}
