//! The forward core against references in doubles, written from the definitions.

mod array;
mod case;
mod convolve;
mod extremes;
mod linear;
mod numbers;
mod places;
mod session;
mod shapes;
