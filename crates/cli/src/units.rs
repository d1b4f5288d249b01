//! Numbers with units, as people type them: `10s`, `512M`, `10^6`, `20,20`.

use std::time::Duration;

/// `-n 100` or `-n 20,20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers(pub(crate) Vec<u64>);

/// A natural number: digits, with `_` allowed between them, or a power such as `10^6`.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    let plain = |part: &str| {
        let digits = part.replace('_', "");
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(format!("`{text}` is no natural number; write 1000 or 10^3"));
        }
        digits.parse::<u64>().map_err(|_| format!("`{text}` is beyond 2^64 - 1"))
    };
    match text.split_once('^') {
        None => plain(text),
        Some((base, exponent)) => {
            let exponent =
                u32::try_from(plain(exponent)?).map_err(|_| format!("`{text}` is beyond 2^64 - 1"))?;
            plain(base)?.checked_pow(exponent).ok_or_else(|| format!("`{text}` is beyond 2^64 - 1"))
        }
    }
}

/// A number from 1 on.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    match number(text)? {
        0 => Err("at least 1 is needed".into()),
        number => Ok(number),
    }
}

/// A whole number of any sign, or a power: `14`, `10^18`; `None` if it is none or has more than 127 bits.
pub(crate) fn big(text: &str) -> Option<i128> {
    match text.split_once('^') {
        None => text.parse().ok(),
        Some((base, exponent)) => base.parse::<i128>().ok()?.checked_pow(exponent.parse().ok()?),
    }
}

/// Numbers parted by commas.
pub(crate) fn numbers(text: &str) -> Result<Numbers, String> {
    text.split(',').map(|part| number(part.trim())).collect::<Result<Vec<_>, _>>().map(Numbers)
}

/// A number of columns, 1 to 1000.
pub(crate) fn width(text: &str) -> Result<usize, String> {
    match usize::try_from(number(text)?) {
        Ok(columns @ 1..=1000) => Ok(columns),
        _ => Err("a table has 1 to 1000 columns".into()),
    }
}

/// A duration: `500ms`, `10s`, `2m`, `1h30m`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is no time; write 500ms, 10s, 2m or 1h30m");
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    if rest.is_empty() {
        return Err(bad());
    }
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let count: u64 = rest[..digits].parse().map_err(|_| bad())?;
        rest = &rest[digits..];
        let letters = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let millis: u64 = match &rest[..letters] {
            "ms" => 1,
            "s" => 1000,
            "" if total.is_zero() && rest.is_empty() => 1000,
            "m" | "min" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return Err(bad()),
        };
        rest = &rest[letters..];
        let part = count.checked_mul(millis).ok_or_else(bad)?;
        total = total.checked_add(Duration::from_millis(part)).ok_or_else(bad)?;
    }
    Ok(total)
}

/// A size in bytes: `512M`, `4G`, `64KiB`; units are powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let bad = || format!("`{text}` is no size; write 512M or 4G");
    let text_trimmed = text.trim();
    let digits = text_trimmed.len() - text_trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let count: u64 = text_trimmed[..digits].parse().map_err(|_| bad())?;
    let shift = match text_trimmed[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(bad()),
    };
    count.checked_mul(1 << shift).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_numbers_in_many_ways() {
        assert_eq!(number("1000"), Ok(1000));
        assert_eq!(number("10^6"), Ok(1_000_000));
        assert_eq!(number("1_000"), Ok(1000));
        for bad in ["", "-1", "1.5", "^3", "3^", "10^20", "2^64", "99999999999999999999", "1e6"] {
            assert!(number(bad).is_err(), "{bad}");
        }
        assert_eq!(numbers("20, 30"), Ok(Numbers(vec![20, 30])));
        assert!(numbers("20,").is_err());
        assert!(positive("0").is_err() && positive("1") == Ok(1));
        assert!(width("0").is_err() && width("1001").is_err());
        assert_eq!(width("12"), Ok(12));
    }

    #[test]
    fn big_numbers_have_a_sign_and_powers() {
        assert_eq!(big("10^18"), Some(1_000_000_000_000_000_000));
        assert_eq!(big("-5"), Some(-5));
        for none in ["", "S..S", "10^39", "2^", "1.5"] {
            assert_eq!(big(none), None, "{none}");
        }
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5400)));
        for bad in ["", "s", "10x", "1.5s", "-1s", "10 s", "99999999999999999h", "1m30"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("4 GiB"), Ok(4 << 30));
        assert_eq!(bytes("100"), Ok(100));
        for bad in ["", "M", "1.5G", "-1", "10X", "99999999999T"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
