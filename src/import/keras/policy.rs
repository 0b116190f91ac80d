//! In which type a layer computes and keeps its numbers, as its `dtype` says it.
//!
//! Numbers are widened or rounded to singles whatever they are kept in, and computed with in singles: closer to what the
//! layer means than its own half precision. A policy that changes what the numbers *are* is refused.

use crate::{faults::quoted_str, formats::json::Json};

/// Names of the policies whose numbers are read.
const READ: [&str; 6] = ["float32", "float16", "bfloat16", "float64", "mixed_float16", "mixed_bfloat16"];

/// What speaks against a layer's policy.
pub(super) fn refused(config: &Json) -> Option<String> {
    let said = config.get("dtype").filter(|said| !said.is_null())?;
    let class = said.get("class_name").and_then(Json::text).unwrap_or("DTypePolicy");
    let name = said.text().or_else(|| {
        let within = said.get("config")?;
        within.get("name").or_else(|| within.get("dtype"))?.text()
    });
    let known =
        name.is_some_and(|name| READ.contains(&name)) && matches!(class, "DTypePolicy" | "Policy" | "FloatDTypePolicy");
    (!known).then(|| {
        let (class, name) = (quoted_str(class), quoted_str(name.unwrap_or("nothing")));
        format!("its dtype is '{name}' ({class}), which is not read: save the model with the policy float32")
    })
}
