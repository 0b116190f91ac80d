//! `.csv`: rows of numbers, one example a row, with or without a line of names above them.
//!
//! A first row of which no cell is a number is taken for names. Whole numbers stay whole, so that ids come through.

use pontil::faults::quoted_str;
use pontil::tensor::{DType, Storage, Tensor};
use std::{cell::Cell, fmt::Write};

/// The numbers of the rows as `[rows, columns]`: I64 if all are whole, F32 else. None if `wrong` was told of a fault: a
/// sentence without its subject, and the line if there is one.
pub fn read(bytes: &[u8], mut wrong: impl FnMut(Option<u64>, String)) -> Option<Tensor> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(bytes);
    let (mut numbers, mut columns, mut rows, good) = (Numbers::default(), None, 0, Cell::new(true));
    let mut wrong = |line, sentence| {
        good.set(false);
        wrong(line, sentence);
    };
    for (index, record) in reader.byte_records().enumerate() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                wrong(None, format!("can not be read: {error}"));
                return None;
            }
        };
        let line = record.position().map_or(0, |position| line(bytes, position));
        let cells: Vec<&str> = record.iter().map(|cell| std::str::from_utf8(cell).unwrap_or("\u{FFFD}")).collect();
        if index == 0 && cells.iter().all(|cell| cell.parse::<f32>().is_err()) {
            columns = Some((cells.len(), line));
            continue;
        }
        let (wanted, first) = *columns.get_or_insert((cells.len(), line));
        if cells.len() != wanted {
            let found = cells.len();
            wrong(Some(line), format!("has {found} cells where line {first} has {wanted}"));
        }
        for (column, cell) in cells.iter().enumerate() {
            if let Err(why) = numbers.push(cell) {
                wrong(Some(line), format!("has `{}` in column {}, which is {why}", quoted_str(cell), column + 1));
            }
        }
        rows += 1;
    }
    if rows == 0 {
        wrong(None, "holds no row of numbers with commas between".into());
    }
    if !good.get() {
        return None;
    }
    let tensor = numbers.tensor(vec![rows, columns?.0]);
    if tensor.is_none() {
        wrong(None, "is too large for memory".into());
    }
    tensor
}

/// The line a record stands on. The crate's position is that of the blank lines before it.
fn line(bytes: &[u8], position: &csv::Position) -> u64 {
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let before = bytes.get(start..).unwrap_or_default().iter().take_while(|byte| b"\r\n".contains(byte));
    position.line() + before.filter(|&&byte| byte == b'\n').count() as u64
}

/// Numbers as written: whole ones until the first that is not.
#[derive(Default)]
struct Numbers {
    whole: Vec<i64>,
    single: Option<Vec<f32>>,
}

impl Numbers {
    /// Refuses a cell that is no number, or none of a single's range.
    fn push(&mut self, cell: &str) -> Result<(), &'static str> {
        let infinite = cell.parse::<f32>().is_ok_and(f32::is_infinite);
        if infinite && cell.contains(|c: char| c.is_ascii_digit()) {
            return Err("too large for a single");
        }
        match (&mut self.single, cell.parse::<i64>(), cell.parse::<f32>()) {
            (None, Ok(whole), _) => self.whole.push(whole),
            (Some(singles), _, Ok(single)) => singles.push(single),
            (None, _, Ok(single)) => {
                let mut singles: Vec<f32> = std::mem::take(&mut self.whole).into_iter().map(|n| n as f32).collect();
                singles.push(single);
                self.single = Some(singles);
            }
            _ if cell.contains([';', '\t', ' ']) => return Err("no number: cells are separated by commas"),
            _ => return Err("no number"),
        }
        Ok(())
    }

    fn tensor(self, shape: Vec<usize>) -> Option<Tensor> {
        match self.single {
            Some(singles) => Tensor::filled_f32(shape, |to| to.copy_from_slice(&singles)),
            None => {
                let bytes = |to: &mut [u8]| {
                    to.chunks_exact_mut(8).zip(&self.whole).for_each(|(to, n)| to.copy_from_slice(&n.to_le_bytes()));
                };
                Tensor::packed(DType::I64, shape, Storage::filled(self.whole.len() * 8, bytes)?)
            }
        }
    }
}

/// One example a line, its numbers with commas between; no break after the last.
pub fn write(shape: &[usize], numbers: &[f32]) -> String {
    let each = shape.iter().skip(1).product::<usize>().max(1);
    let mut text = String::new();
    for (index, row) in numbers.chunks(each).enumerate() {
        if index > 0 {
            text.push('\n');
        }
        for (column, &number) in row.iter().enumerate() {
            let _ = write!(text, "{}{}", if column > 0 { "," } else { "" }, shortest(number));
        }
    }
    text
}

/// The shortest text that reads back as the same single.
pub fn shortest(number: f32) -> String {
    let size = number.abs();
    if size != 0.0 && size.is_finite() && !(1e-5..1e16).contains(&size) {
        return format!("{number:e}");
    }
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &[u8]) -> (Option<Tensor>, Vec<(Option<u64>, String)>) {
        let mut wrong = Vec::new();
        (read(text, |line, sentence| wrong.push((line, sentence))), wrong)
    }

    #[test]
    fn reads_rows() {
        let tensor = read_all(b"\xEF\xBB\xBFage, fare\r\n1, 2.5\r\n\r\n-3,1e2\r\n").0.unwrap();
        assert_eq!((tensor.shape(), tensor.as_f32().unwrap()), (&[2, 2][..], &[1.0, 2.5, -3.0, 100.0][..]));
        let ids = read_all(b"1,2\n3,9007199254740993\n").0.unwrap();
        assert_eq!(ids.dtype(), DType::I64);
        assert_eq!(ids.packed_bytes().unwrap()[24..], 9007199254740993i64.to_le_bytes());
    }

    #[test]
    fn says_all_that_is_wrong_with_its_line() {
        let wrong = read_all(b"1,2\r\n3\r\n\r\n4,x\r\n5,6,7").1;
        assert_eq!(wrong.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [Some(2), Some(4), Some(5)]);
        assert!(wrong[1].1.contains("`x` in column 2"));
        for (text, why) in [(&b"1;2\n3;4"[..], "commas"), (b"1\n1e400", "too large"), (b"1\n-1e39", "too large")] {
            let wrong = read_all(text).1;
            assert!(wrong[0].0 == Some(2) && wrong[0].1.contains(why), "{wrong:?}");
        }
        for empty in [&b""[..], b"a,b\n", b"\n\n", b"1;2;3"] {
            assert_eq!(read_all(empty).1[0].0, None);
        }
    }

    #[test]
    fn shortest_reads_back() {
        for number in [0.0, -0.0, 1.0, 0.1, 1e-7, 3.4028235e38, 1e-45, 123456.79, f32::INFINITY] {
            assert_eq!(shortest(number).parse::<f32>().unwrap().to_bits(), number.to_bits());
        }
        assert_eq!((shortest(1e-7), shortest(0.1), shortest(2.0)), ("1e-7".into(), "0.1".into(), "2".into()));
    }
}
