//! Nothing reads or writes beyond its end: inputs, outputs, lent weights and all larger memory of the library lie right
//! before a page that must not be touched. A read beyond ends this program.
#![cfg(all(target_os = "linux", feature = "allocator"))]

use pontil::{
    capi::allocator::{pon_allocator, pon_set_allocator},
    describe,
    faults::Faults,
    limits::Limits,
    network::{Entry, Network},
    plan::{Isa, Precision},
    session::{Session, SessionOptions},
    tensor::{DType, Keeper, Storage, Tensor, View, ViewMut},
};
use serde_json::{Value, json};
use std::{ffi::c_void, ptr, sync::Arc};

const PAGE: usize = 4096;

/// Blocks from so many bytes on get pages of their own.
const LARGE: usize = 512;

/// `size` bytes at a multiple of `align`, as near as that allows before a page without any right; null if there are none.
fn before_a_wall(size: usize, align: usize) -> *mut u8 {
    let room = size.next_multiple_of(PAGE);
    let (rights, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: new pages; the last of them loses its rights again.
    unsafe {
        let pages = libc::mmap(ptr::null_mut(), room + PAGE, rights, flags, -1, 0);
        if pages == libc::MAP_FAILED || libc::mprotect(pages.byte_add(room), PAGE, libc::PROT_NONE) != 0 {
            return ptr::null_mut();
        }
        pages.byte_add((room - size) & !(align - 1)).cast()
    }
}

/// Gives the pages of [`before_a_wall`] back.
fn tear_down(block: *mut u8, size: usize) {
    let pages = block.map_addr(|address| address & !(PAGE - 1));
    // SAFETY: the block begins in the first of its pages.
    unsafe { libc::munmap(pages.cast(), size.next_multiple_of(PAGE) + PAGE) };
}

extern "C" fn allocate(_: *mut c_void, size: usize, align: usize) -> *mut c_void {
    if size >= LARGE && align <= PAGE {
        return before_a_wall(size, align).cast();
    }
    let mut block = ptr::null_mut();
    // SAFETY: `align` is a power of two and made large enough.
    let failed = unsafe { libc::posix_memalign(&mut block, align.max(size_of::<usize>()), size) };
    if failed == 0 { block } else { ptr::null_mut() }
}

extern "C" fn release(_: *mut c_void, block: *mut c_void, size: usize, align: usize) {
    if size >= LARGE && align <= PAGE {
        return tear_down(block.cast(), size);
    }
    // SAFETY: of `posix_memalign`.
    unsafe { libc::free(block) }
}

/// Runs before anything of the program has asked for memory, which is the only time to choose.
extern "C" fn choose() {
    let functions = pon_allocator {
        struct_size: size_of::<pon_allocator>() as u32,
        reserved: 0,
        userdata: ptr::null_mut(),
        allocate: Some(allocate),
        release: Some(release),
    };
    // SAFETY: a struct of this size; the functions stay.
    unsafe { pon_set_allocator(&functions) };
}

#[used]
#[unsafe(link_section = ".init_array")]
static CHOOSE: extern "C" fn() = choose;

/// Singles that end right before a wall.
struct Walled {
    start: *mut f32,
    count: usize,
}

// SAFETY: memory of its own.
unsafe impl Send for Walled {}
// SAFETY: written through `&mut` alone.
unsafe impl Sync for Walled {}

impl Walled {
    fn new(count: usize, fill: impl FnMut() -> f32) -> Walled {
        let start = before_a_wall(count * 4, 4);
        assert!(!start.is_null());
        let mut walled = Walled { start: start.cast(), count };
        walled.numbers_mut().fill_with(fill);
        walled
    }

    fn numbers(&self) -> &[f32] {
        // SAFETY: its own.
        unsafe { std::slice::from_raw_parts(self.start, self.count) }
    }

    fn numbers_mut(&mut self) -> &mut [f32] {
        // SAFETY: its own.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.count) }
    }
}

impl Keeper for Walled {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self.numbers())
    }
}

impl Drop for Walled {
    fn drop(&mut self) {
        if self.count > 0 {
            tear_down(self.start.cast(), self.count * 4);
        }
    }
}

fn random(state: &mut u64) -> f32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 40) as f32 / (1 << 23) as f32 - 1.0
}

/// The network of some layers, its numbers before walls.
fn network(input: &[usize], layers: &[Value]) -> Network {
    let mut before = "x".to_owned();
    let named = layers.iter().enumerate().map(|(number, layer)| {
        let mut layer = layer.clone();
        layer["from"] = if layer["twice"].is_null() { json!([before]) } else { json!([before, before]) };
        layer.as_object_mut().unwrap().remove("twice");
        before = format!("l{number}");
        layer["name"] = json!(before);
        layer
    });
    let named: Vec<Value> = named.collect();
    let text = json!({ "kind": "graph", "inputs": [{ "name": "x", "shape": input }], "layers": named });
    let (limits, mut faults) = (Limits::default(), Faults::default());
    let description = describe::parse(text.to_string().as_bytes(), &limits, &mut faults);
    let zeroed = description.and_then(|description| Network::zeroed(&description, &limits, &mut faults));
    let zeroed = zeroed.unwrap_or_else(|_| panic!("{}", faults.text()));
    let mut state = 5;
    let entries = zeroed.entries().into_iter().map(|entry| {
        let shape = entry.tensor.shape().to_vec();
        let numbers = Walled::new(entry.tensor.count(), || random(&mut state).abs() + 0.1);
        let tensor = Tensor::packed(DType::F32, shape, Storage::kept(Arc::new(numbers))).unwrap();
        Entry { tensor, ..entry }
    });
    zeroed.with(&entries.collect::<Vec<_>>(), &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()))
}

/// Runs it in every way; the answers must be numbers, and those of one instruction set near those of the other.
fn check(input: &[usize], layers: &[Value]) {
    let network = network(input, layers);
    for batch in [1, 3, 7] {
        let mut first: Option<Vec<f32>> = None;
        for precision in [Precision::Standard, Precision::Exact] {
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_here()) {
                for threads in [1, 2] {
                    let options =
                        SessionOptions { max_batch: batch, precision, isa: Some(isa), threads, ..Default::default() };
                    let made = Session::new(&network, &options, &Limits::default(), &mut Faults::default());
                    let mut session = made.unwrap_or_else(|_| panic!("{layers:?}"));
                    let shape = [&[batch], input].concat();
                    let out_shape = [&[batch], session.output_shape(0)].concat();
                    let mut state = 3;
                    let x = Walled::new(shape.iter().product(), || random(&mut state));
                    let mut y = Walled::new(out_shape.iter().product(), || f32::NAN);
                    let view = View::of_f32(&shape, x.numbers());
                    session.run(&[view], &mut [ViewMut::of_f32(&out_shape, y.numbers_mut())], None).unwrap();
                    let first = first.get_or_insert_with(|| y.numbers().to_vec());
                    let largest = first.iter().fold(1e-3f32, |most, x| most.max(x.abs()));
                    let near = first.iter().zip(y.numbers()).all(|(a, b)| (a - b).abs() <= 1e-5 * largest);
                    assert!(near && y.numbers().len() == first.len(), "{layers:?} {precision:?} {isa:?} batch {batch}");
                }
            }
        }
    }
}

const LENGTHS: [usize; 9] = [1, 2, 4, 7, 15, 16, 17, 33, 100];

#[test]
fn memory_is_walled() {
    let block = vec![1u8; 2 * PAGE - 64];
    assert_eq!((block.as_ptr() as usize + block.len()) % PAGE, 0);
}

#[test]
fn dense_layers() {
    for inputs in LENGTHS {
        for outputs in LENGTHS {
            check(&[inputs], &[json!({ "kind": "dense", "inputs": inputs, "outputs": outputs })]);
        }
        let behind = json!({ "kind": "dense", "inputs": inputs, "outputs": 3, "bias": false });
        check(&[5, inputs], &[json!({ "kind": "batchNorm", "features": inputs }), json!({ "kind": "tanh" }), behind]);
    }
    check(&[600], &[json!({ "kind": "dense", "inputs": 600, "outputs": 49 })]);
}

#[test]
fn convolutions() {
    for (inputs, outputs, groups) in
        [(1, 1, 1), (3, 16, 1), (5, 17, 1), (16, 6, 2), (17, 17, 17), (6, 12, 6), (33, 2, 1)]
    {
        for (size, stride, padding) in [(1, 1, 0), (3, 1, 1), (3, 2, 0), (5, 1, 2)] {
            let conv = |kind: &str, sides: &[&str]| {
                let mut layer = json!({ "kind": kind, "inChannels": inputs, "outChannels": outputs, "groups": groups,
                                        "stride": stride, "padding": padding });
                sides.iter().for_each(|&side| layer[side] = json!(size));
                layer
            };
            check(&[9, inputs], &[conv("conv1d", &["length"]), json!({ "kind": "relu" })]);
            check(
                &[7, 6, inputs],
                &[conv("conv2d", &["height", "width"]), json!({ "kind": "batchNorm", "features": outputs })],
            );
            check(&[6, 5, inputs], &[conv("convTranspose2d", &["height", "width"])]);
        }
        let cube = json!({ "kind": "conv3d", "inChannels": inputs, "outChannels": outputs, "groups": groups, "depth": 2,
                           "height": 2, "width": 3 });
        check(&[3, 4, 5, inputs], &[cube]);
    }
}

#[test]
fn layers_without_products() {
    for channels in LENGTHS {
        let places = |layer: Value| check(&[6, 5, channels], &[layer]);
        for kind in ["maxpool2d", "avgpool2d"] {
            places(json!({ "kind": kind, "height": 3, "width": 2, "stride": 2 }));
        }
        for kind in
            ["relu", "tanh", "sigmoid", "gelu", "elu", "silu", "softplus", "erf", "exp", "mish", "abs", "softmax"]
        {
            places(json!({ "kind": kind }));
        }
        for kind in ["batchNorm", "layerNorm", "instanceNorm"] {
            places(json!({ "kind": kind, "features": channels }));
        }
        places(json!({ "kind": "lrn", "size": 3 }));
        places(json!({ "kind": "l2Normalize" }));
        places(json!({ "kind": "prelu", "features": channels }));
        places(json!({ "kind": "scale", "shape": [channels] }));
        places(json!({ "kind": "add", "twice": true }));
        places(json!({ "kind": "concat", "twice": true }));
        places(json!({ "kind": "permute", "axes": [0, 3, 1, 2] }));
        places(json!({ "kind": "slice", "axis": 1, "start": 2, "end": 5 }));
        places(json!({ "kind": "pad", "border": [1, [0, 2], 0] }));
        places(json!({ "kind": "mean", "axes": [1, 2] }));
        check(&[6, 5, channels], &[json!({ "kind": "flatten" }), json!({ "kind": "softmax" })]);
        for mode in ["nearest", "linear"] {
            places(json!({ "kind": "upsample", "scale": [2, 1.5], "mode": mode }));
        }
    }
}
