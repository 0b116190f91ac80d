#include <pontil.h>
#include <stdio.h>
int main(int argc, char **argv) { /* usage: readme model.safetensors network.json */
  static char json[1 << 16];
  FILE *words = argc == 3 ? fopen(argv[2], "rb") : NULL;
  size_t size = words ? fread(json, 1, sizeof json, words) : 0;
  pon_description *layers = NULL; pon_source *file = NULL; pon_import *import = NULL; pon_network *network = NULL;
  pon_session *session = NULL; pon_faults *faults = NULL; pon_view in, out; pon_str text = {"", 0};
  pon_import_options options = {.struct_size = sizeof options};
  if (!size || fclose(words) || pon_check(PON_ABI, PON_HEADER) || pon_faults_new(&faults)) return 2;
  if (!pon_description_parse(NULL, json, size, &layers, faults) && (options.network = layers) != NULL
      && !pon_source_path(NULL, argv[1], PON_NUL, &file, faults) && !pon_import_open(NULL, file, &options, &import, faults)
      && !pon_import_network(import, &network, faults) && !pon_session_new(network, NULL, &session, faults)
      && !pon_session_port(session, PON_INPUT, 0, &in) && !pon_session_port(session, PON_OUTPUT, 0, &out)) {
    for (int64_t i = 0; i < in.shape[1]; i++) ((float *)in.data)[i] = 1.0f;
    if (!pon_session_run(session, NULL)) printf("%g\n", ((float *)out.data)[0]);
  } else if (!pon_faults_text(faults, &text)) puts(text.data); /* all that is wrong, a fault a line */
  pon_session_free(session); pon_network_free(network); pon_import_free(import); pon_source_free(file);
  pon_description_free(layers); pon_faults_free(faults); return text.len != 0;
}
