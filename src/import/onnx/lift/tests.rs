//! Each rewrite, on the nodes it stands for.
