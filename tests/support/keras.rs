//! Files of Keras that lie: archives whose description is told anew, and such that cost more than they are long.

use super::{
    bombs::{record, zipped},
    random::Random,
};
use std::ops::Range;

/// An archive of Keras with this description and these weights.
pub fn archive(config: &[u8], weights: &[u8]) -> Vec<u8> {
    let records = [record("metadata.json", b"{}"), record("config.json", config), record("model.weights.h5", weights)];
    zipped("", &records.iter().collect::<Vec<_>>())
}

/// The same with a description that is deflated.
fn deflated(config: &[u8]) -> Vec<u8> {
    let records =
        [record("metadata.json", b"{}"), record("config.json", config).deflated(), record("model.weights.h5", b"")];
    zipped("", &records.iter().collect::<Vec<_>>())
}

/// Where the bytes of a record lie in an archive whose records are stored.
pub fn within(archive: &[u8], name: &str) -> Range<usize> {
    let short = |at: usize| usize::from(u16::from_le_bytes([archive[at], archive[at + 1]]));
    let long = |at: usize| short(at) + (short(at + 2) << 16);
    let headers = (0..archive.len()).filter(|&at| archive[at..].starts_with(b"PK\x01\x02"));
    let mut found = headers.filter(|&at| &archive[at + 46..][..short(at + 28)] == name.as_bytes());
    let listed = found.next().expect("a record");
    let header = long(listed + 42);
    let start = header + 30 + short(header + 26) + short(header + 28);
    start..start + long(listed + 20)
}

/// What stands in for a value.
const VALUES: [&str; 19] = [
    "null",
    "true",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "64",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "1e308",
    "0.5",
    "\"\"",
    "\"same\"",
    "\"channels_first\"",
    "[]",
    "{}",
    "[1,2]",
];

/// Archives in whose description one value or two are others, or stand elsewhere.
pub fn retold(archive: &[u8], turns: usize, mut each: impl FnMut(&str, &[u8])) {
    let (config, weights) = (&archive[within(archive, "config.json")], &archive[within(archive, "model.weights.h5")]);
    let values = values(config);
    let mut random = Random(5);
    for turn in 0..turns {
        let mut told = config.to_vec();
        let mut places: Vec<usize> = (0..1 + random.below(2)).map(|_| random.below(values.len())).collect();
        places.sort_unstable();
        places.dedup();
        for place in places.into_iter().rev() {
            let put = match random.below(2) {
                0 => VALUES[random.below(VALUES.len())].as_bytes(),
                _ => &config[values[random.below(values.len())].clone()],
            };
            told.splice(values[place].clone(), put.iter().copied());
        }
        each(&format!("told anew {turn}"), &self::archive(&told, weights));
    }
}

/// Where texts, numbers and words stand in JSON.
fn values(json: &[u8]) -> Vec<Range<usize>> {
    let (mut values, mut at) = (Vec::new(), 0);
    while at < json.len() {
        let start = at;
        if json[at] == b'"' {
            at += 1;
            while json[at] != b'"' {
                at += if json[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
            values.push(start..at);
        } else if b",:[]{} \n".contains(&json[at]) {
            at += 1;
        } else {
            while !b",:[]{} \n".contains(&json[at]) {
                at += 1;
            }
            values.push(start..at);
        }
    }
    values
}

/// Archives that cost more than they are long, if what they say is believed.
pub fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let sequential = |layers: &str| {
        format!(
            r#"{{"class_name":"Sequential","config":{{"name":"a","layers":[{{"class_name":"InputLayer","config":{{"batch_shape":[null,4,4,4],"name":"i"}}}},{layers}]}}}}"#
        )
    };
    let layer = |class: &str, settings: &str| {
        format!(r#"{{"class_name":"{class}","config":{{"name":"l","trainable":true{settings}}}}}"#)
    };
    let mut doubled = r#"{"class_name":"Activation","config":{"name":"l","activation":"relu"}}"#.to_owned();
    for depth in 0..18 {
        // Each model calls the one within it twice.
        let value = |of: &str, node: usize| format!(r#"[["{of}",{node},0]]"#);
        doubled = format!(
            r#"{{"class_name":"Functional","name":"m{depth}","config":{{"name":"m{depth}","layers":[{{"class_name":"InputLayer","name":"i","config":{{"batch_shape":[null,4],"name":"i"}},"inbound_nodes":[]}},{{"name":"n","inbound_nodes":[{},{}],{}],"input_layers":[["i",0,0]],"output_layers":[["n",1,0]]}}}}"#,
            value("i", 0),
            value("n", 0),
            &doubled[1..],
        );
    }
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let many = vec![r#"{"class_name":"Dropout","config":{"name":"d"}}"#; 60_000].join(",");
    let named = format!(r#"{{"class_name":"Dropout","config":{{"name":"{}"}}}}"#, "n".repeat(1 << 20));
    let named = vec![named; 8].join(",");
    vec![
        ("100,000 lists within one another", archive(nested.as_bytes(), b"")),
        ("100,000 objects within one another", archive(r#"{"a":"#.repeat(100_000).as_bytes(), b"")),
        ("four million noughts", deflated(format!("[{}0]", "0,".repeat(4_000_000)).as_bytes())),
        ("a million empty lists", deflated(format!("[{}[]]", "[],".repeat(1_000_000)).as_bytes())),
        ("a model that calls itself 2^18 times", archive(doubled.as_bytes(), b"")),
        ("60,000 layers", deflated(sequential(&many).as_bytes())),
        ("names of a megabyte", deflated(sequential(&named).as_bytes())),
        (
            "a filter of two milliards",
            archive(
                sequential(&layer(
                    "Conv2D",
                    r#","filters":2147483647,"kernel_size":[2147483647,2147483647],"strides":[1,1],"padding":"same""#,
                ))
                .as_bytes(),
                b"",
            ),
        ),
        (
            "a kernel of more than can be counted",
            archive(sequential(&layer("Conv2D", r#","filters":2147483647,"kernel_size":2147483647"#)).as_bytes(), b""),
        ),
        (
            "a repetition without end",
            archive(
                sequential(&format!("{},{}", layer("Flatten", ""), layer("RepeatVector", r#","n":2147483647"#)))
                    .as_bytes(),
                b"",
            ),
        ),
        (
            "a border without end",
            archive(sequential(&layer("ZeroPadding2D", r#","padding":2147483647"#)).as_bytes(), b""),
        ),
        (
            "a shape without end",
            archive(sequential(&layer("Reshape", r#","target_shape":[2147483647,2147483647,-1]"#)).as_bytes(), b""),
        ),
        (
            "a table without end",
            archive(
                sequential(&layer("Embedding", r#","input_dim":2147483647,"output_dim":2147483647"#)).as_bytes(),
                b"",
            ),
        ),
        (
            "more axes than there are",
            archive(
                sequential(&layer("Reshape", &format!(r#","target_shape":[{}1]"#, "1,".repeat(200_000)))).as_bytes(),
                b"",
            ),
        ),
        (
            "an axis far out",
            archive(sequential(&layer("BatchNormalization", r#","axis":9223372036854775807"#)).as_bytes(), b""),
        ),
        (
            "an axis far below",
            archive(sequential(&layer("Concatenate", r#","axis":-9223372036854775808"#)).as_bytes(), b""),
        ),
    ]
}
