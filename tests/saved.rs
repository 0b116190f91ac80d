//! Networks out and in again: bit for bit, whatever order their numbers have.

use pontil::{
    describe::{Description, parse},
    faults::{Code, Faults, Refused, Text},
    import::{Import, ImportOptions},
    limits::Limits,
    network::{Entry, Network},
    progress::Progress,
    save::{self, Target},
    source::Source,
    tensor::{Storage, Tensor},
};

fn saved(network: &Network, notes: &[(&str, &str)]) -> Result<Vec<u8>, Refused> {
    let mut bytes = Vec::new();
    let target = Target::Bytes(&mut bytes);
    save::network(network, notes, target, &Progress::default(), &mut Faults::default()).map(|()| bytes)
}

fn read(bytes: &[u8], description: &Description) -> Network {
    let storage = Storage::copied(bytes).unwrap();
    let options = ImportOptions { network: Some(description), ..ImportOptions::default() };
    let mut faults = Faults::default();
    Import::open(&Source::memory(storage), options, &mut faults).unwrap().network(&mut faults).unwrap()
}

#[test]
fn a_network_reads_back_as_it_is() {
    let text = br#"{"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":2,"bias":false}]}"#;
    let description = parse(text, &Limits::default(), &mut Faults::default()).unwrap();
    let tensor = Tensor::filled_f32(vec![2, 2], |out| out.copy_from_slice(&[0., 1., 2., 3.])).unwrap();
    let entries = [Entry { path: "0.weight".into(), tensor, place: Text::default(), offset: None }];
    let built = Network::build(&description, &entries, &Limits::default(), &mut Faults::default()).unwrap();

    let own = saved(&built, &[]).unwrap();
    let again = read(&own, &description);
    assert_eq!(again.number(0).as_f32(), built.number(0).as_f32());
    assert_eq!(saved(&again, &[("format", "pontil")]).unwrap(), own);
    assert_eq!(saved(&again, &[("format", "pt")]), Err(Refused(Code::Value)));

    let mut pytorch = Vec::new();
    let target = Target::Bytes(&mut pytorch);
    save::safetensors(&entries, &[("format", "pt")], target, &Progress::default(), &mut Faults::default()).unwrap();
    let turned = read(&pytorch, &description);
    assert_eq!(turned.number(0).as_f32().unwrap(), [0., 2., 1., 3.]);
    assert_eq!(saved(&turned, &[]).unwrap(), pytorch);
}
