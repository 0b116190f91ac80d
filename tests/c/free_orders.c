/* Frees context, source, import, network, session, data set and evaluation in every order, or in some of them where an
 * argument is given; whatever is left still works. */
#include "objects.h"

enum { KINDS = 7, SOME = 43 };

static int seldom, turn;

static void free_one(objects *all, int which) {
  switch (which) {
    case 0: pon_context_free(all->context); break;
    case 1: pon_source_free(all->source); break;
    case 2: pon_import_free(all->import); break;
    case 3: pon_network_free(all->network); break;
    case 4: pon_session_free(all->session); break;
    case 5: pon_dataset_free(all->dataset); break;
    default: pon_evaluation_free(all->evaluation); break;
  }
}

/* The numbers of the network, which are the one example of the data set. */
static void reads(pon_dataset *set) {
  static const int64_t weight_shape[2] = {1, 2}, bias_shape[1] = {1};
  float weight[2] = {0, 0}, bias[1] = {0};
  pon_view views[2];
  views[0] = packed(weight, PON_DTYPE_F32, 2, weight_shape);
  views[1] = packed(bias, PON_DTYPE_F32, 1, bias_shape);
  MUST(pon_dataset_next(set, views, 2, NULL) == PON_OK);
  MUST(weight[0] == 1 && weight[1] == 2 && bias[0] == 0.5f);
}

/* Half the square of what the network makes of [1, 10], which is 21.5, less 20. */
static void evaluates(pon_evaluation *evaluation) {
  static const float x[2] = {1, 10}, t[1] = {20};
  static const int64_t x_shape[2] = {1, 2}, t_shape[2] = {1, 1};
  pon_blob blobs[2] = {{{"x", 1}, {0}}, {{"t", 1}, {0}}};
  double loss = 0;
  blobs[0].view = packed(x, PON_DTYPE_F32, 2, x_shape);
  blobs[1].view = packed(t, PON_DTYPE_F32, 2, t_shape);
  MUST(pon_evaluation_run(evaluation, blobs, 2, &loss, NULL) == PON_OK);
  MUST(loss == 1.125);
}

static void one_order(const int order[KINDS]) {
  objects all = objects_new();
  int freed[KINDS] = {0};
  pon_params_free(all.params);
  pon_layout_free(all.layout);
  pon_description_free(all.description);
  pon_tensor_free(all.weight);
  pon_tensor_free(all.bias);
  pon_tensor_free(all.written);
  for (int i = 0; i < KINDS; i++) {
    free_one(&all, order[i]);
    freed[order[i]] = 1;
    if (!freed[6]) evaluates(all.evaluation);
    if (!freed[5]) reads(all.dataset);
    if (!freed[4]) answers(all.session, 21.5f);
    if (!freed[3]) MUST(pon_network_slots(all.network) == 2);
    if (!freed[2]) {
      pon_network *again = NULL;
      MUST(pon_import_network(all.import, &again, all.faults) == PON_OK);
      pon_network_free(again);
    }
  }
  pon_bytes_free(all.bytes);
  pon_bytes_free(all.model);
  pon_cancel_free(all.cancel);
  pon_faults_free(all.faults);
}

static void orders(int order[KINDS], int placed) {
  if (placed == KINDS) {
    if (!seldom || turn++ % SOME == 0) one_order(order);
    return;
  }
  for (int which = 0; which < KINDS; which++) {
    int there = 0;
    for (int i = 0; i < placed; i++) there |= order[i] == which;
    if (!there) {
      order[placed] = which;
      orders(order, placed + 1);
    }
  }
}

int main(int count, char **words) {
  int order[KINDS];
  (void)words;
  seldom = count > 1;
  orders(order, 0);
  return 0;
}
