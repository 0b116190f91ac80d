//! How much memory may be made of a file: a measure of its length, not of anything it says.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// What a file of no length may take. With what is taken without being counted here this stays below 16 MiB.
const LEAST: u64 = 14 << 20;

/// Bytes that may still be taken, by all who read the file.
#[derive(Clone, Debug)]
pub struct Budget(Arc<AtomicU64>);

impl Budget {
    /// For a file of so many bytes: as many again, and a few megabytes.
    pub fn of(file: u64) -> Budget {
        Budget(Arc::new(AtomicU64::new(file.saturating_add(LEAST))))
    }

    /// Takes so many bytes; none, and nothing is taken, if there are not as many.
    pub fn take(&self, bytes: u64) -> Option<()> {
        let take = |left: u64| left.checked_sub(bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok().map(|_| ())
    }

    /// Gives bytes back that were taken.
    pub fn give(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    /// How many bytes may still be taken.
    pub fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Makes room for `more` further elements and takes what that needs. Room grows by a quarter at a time, so that little
    /// of it stands empty.
    pub fn room<T>(&self, vec: &mut Vec<T>, more: usize) -> Option<()> {
        let needed = vec.len().checked_add(more)?;
        if needed > vec.capacity() {
            let wanted = needed.max(vec.len() + vec.len() / 4).max(4);
            self.take((wanted - vec.capacity()).checked_mul(size_of::<T>())? as u64)?;
            vec.reserve_exact(wanted - vec.len());
        }
        Some(())
    }
}

/// What is taken for a while, and given back when this is dropped.
#[derive(Debug)]
pub struct Loan<'a> {
    budget: &'a Budget,
    taken: u64,
}

impl<'a> Loan<'a> {
    /// Nothing yet, of this budget.
    pub fn of(budget: &'a Budget) -> Loan<'a> {
        Loan { budget, taken: 0 }
    }

    /// Takes so many bytes; none, and nothing is taken, if there are not as many.
    pub fn take(&mut self, bytes: u64) -> Option<()> {
        self.budget.take(bytes)?;
        self.taken += bytes;
        Some(())
    }

    /// Gives nothing back: what was taken stays.
    pub fn keep(mut self) {
        self.taken = 0;
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        self.budget.give(self.taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_no_more_than_there_is() {
        let budget = Budget::of(100);
        assert_eq!(budget.take(LEAST + 101), None);
        assert_eq!(budget.take(LEAST), Some(()));
        let mut numbers = vec![0u64; 4];
        numbers.shrink_to_fit();
        assert_eq!(budget.room(&mut numbers, 4), Some(()));
        assert_eq!((numbers.capacity(), budget.left()), (8, 68));
        assert_eq!(budget.room(&mut numbers, 100), None);
        budget.give(32);
        let mut loan = Loan::of(&budget);
        assert_eq!((loan.take(101), loan.take(60), budget.left()), (None, Some(()), 40));
        drop(loan);
        assert_eq!(budget.left(), 100);
        let mut loan = Loan::of(&budget);
        assert_eq!(loan.take(10), Some(()));
        loan.keep();
        assert_eq!(budget.left(), 90);
    }
}
