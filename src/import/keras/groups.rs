//! What Keras calls the groups of layers in a tree of variables: the class in small letters, counted. Asked by `model` for files
//! that do not name their layers.

use std::collections::HashMap;

/// The groups that layers of a class have in a file which does not name its layers.
#[derive(Default)]
pub(super) struct Groups(HashMap<String, usize>);

impl Groups {
    /// The group of the next layer of a class.
    pub(super) fn of(&mut self, class: &str) -> String {
        let snake = snake(class);
        let count = self.0.entry(snake.clone()).or_default();
        *count += 1;
        if *count > 1 { format!("{snake}_{}", *count - 1) } else { snake }
    }
}

/// A class in small letters, as Keras names groups after it.
fn snake(class: &str) -> String {
    let letters: Vec<char> = class.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut snake = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let small_after = letters.get(at + 1).is_some_and(|next| next.is_ascii_lowercase());
        let parts =
            letter.is_ascii_uppercase() && before.is_some_and(|before| before.is_ascii_lowercase() || small_after);
        if parts && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn groups_are_named_as_keras_names_them() {
        for (class, group) in [
            ("Dense", "dense"),
            ("Conv2D", "conv2d"),
            ("SeparableConv2D", "separable_conv2d"),
            ("ReLU", "re_lu"),
            ("PReLU", "p_re_lu"),
            ("ELU", "elu"),
            ("Conv2DTranspose", "conv2d_transpose"),
            ("GlobalAveragePooling2D", "global_average_pooling2d"),
        ] {
            assert_eq!(snake(class), group);
        }
    }
}
