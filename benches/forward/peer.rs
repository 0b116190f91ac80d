//! ONNX Runtime through its C functions: a table of pointers by number, which only ever grows at its end.

use libloading::Library;
use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr,
};

type Handle = *mut c_void;
type Status = *mut c_void;

#[repr(C)]
struct Base {
    api: unsafe extern "C" fn(u32) -> *const Handle,
}

/// Numbers of the table's functions.
mod number {
    pub const ERROR_MESSAGE: usize = 2;
    pub const CREATE_ENV: usize = 3;
    pub const CREATE_SESSION: usize = 7;
    pub const RUN: usize = 9;
    pub const CREATE_OPTIONS: usize = 10;
    pub const SET_LEVEL: usize = 23;
    pub const SET_INTRA_THREADS: usize = 24;
    pub const SET_INTER_THREADS: usize = 25;
    pub const TENSOR_OF_DATA: usize = 49;
    pub const SHAPE_AND_TYPE: usize = 65;
    pub const COUNT: usize = 64;
    pub const MEMORY_INFO: usize = 69;
    pub const RELEASE_VALUE: usize = 96;
}

/// The version of the table that is asked for.
const VERSION: u32 = 17;

/// A session with its numbers.
pub struct Peer {
    run: unsafe extern "C" fn(
        Handle,
        Handle,
        *const *const c_char,
        *const Handle,
        usize,
        *const *const c_char,
        usize,
        *mut Handle,
    ) -> Status,
    session: Handle,
    x: Handle,
    y: Handle,
    _numbers: [Vec<f32>; 2],
}

/// A function of the table.
macro_rules! function {
    ($api:expr, $number:ident, fn($($argument:ty),* $(,)?) -> $result:ty) => {
        std::mem::transmute::<Handle, unsafe extern "C" fn($($argument),*) -> $result>(*$api.add(number::$number))
    };
}

impl Peer {
    /// A model of one input and one output, for runs of these numbers.
    pub fn new(library: &str, model: &str, threads: u32, batch: usize, input: &[usize], x: &[f32]) -> Peer {
        let (model, input) = (CString::new(model).expect("a path"), [&[batch], input].concat());
        // Pontil keeps channels last, ONNX first; made-up numbers fit either.
        let mut shape: Vec<i64> = input.iter().map(|&length| length as i64).collect();
        if shape.len() > 2 {
            shape[1..].rotate_right(1);
        }
        // SAFETY: the functions of the table, with the arguments its header states.
        unsafe {
            let library = Library::new(library).expect("the library of ONNX Runtime");
            let base = library.get::<unsafe extern "C" fn() -> *const Base>(b"OrtGetApiBase").expect("its entry");
            let api = ((*base()).api)(VERSION);
            // It stays for the process.
            std::mem::forget(library);
            let message = function!(api, ERROR_MESSAGE, fn(Status) -> *const c_char);
            let good = |status: Status| {
                assert!(status.is_null(), "{:?}", CStr::from_ptr(message(status)));
            };
            let (mut env, mut options, mut session, mut info) =
                (ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
            good(function!(api, CREATE_ENV, fn(c_int, *const c_char, *mut Handle) -> Status)(
                3,
                c"bench".as_ptr(),
                &mut env,
            ));
            good(function!(api, CREATE_OPTIONS, fn(*mut Handle) -> Status)(&mut options));
            let set = |function: unsafe extern "C" fn(Handle, c_int) -> Status, value| good(function(options, value));
            set(function!(api, SET_INTRA_THREADS, fn(Handle, c_int) -> Status), threads as c_int);
            set(function!(api, SET_INTER_THREADS, fn(Handle, c_int) -> Status), 1);
            set(function!(api, SET_LEVEL, fn(Handle, c_int) -> Status), 99);
            let create = function!(api, CREATE_SESSION, fn(Handle, *const c_char, Handle, *mut Handle) -> Status);
            good(create(env, model.as_ptr(), options, &mut session));
            good(function!(api, MEMORY_INFO, fn(c_int, c_int, *mut Handle) -> Status)(1, 0, &mut info));
            let run = function!(
                api,
                RUN,
                fn(
                    Handle,
                    Handle,
                    *const *const c_char,
                    *const Handle,
                    usize,
                    *const *const c_char,
                    usize,
                    *mut Handle,
                ) -> Status
            );
            let tensor = function!(
                api,
                TENSOR_OF_DATA,
                fn(Handle, Handle, usize, *const i64, usize, c_int, *mut Handle) -> Status
            );
            let of = |numbers: &mut Vec<f32>, shape: &[i64]| {
                let mut value = ptr::null_mut();
                let bytes = numbers.len() * 4;
                good(tensor(info, numbers.as_mut_ptr().cast(), bytes, shape.as_ptr(), shape.len(), 1, &mut value));
                value
            };
            let mut x = x.to_vec();
            let x_value = of(&mut x, &shape);
            // The first run tells how many numbers there are in an answer.
            let mut first = ptr::null_mut();
            good(run(session, ptr::null_mut(), &INPUT.0, &x_value, 1, &OUTPUT.0, 1, &mut first));
            let (mut seen, mut count) = (ptr::null_mut(), 0usize);
            good(function!(api, SHAPE_AND_TYPE, fn(Handle, *mut Handle) -> Status)(first, &mut seen));
            good(function!(api, COUNT, fn(Handle, *mut usize) -> Status)(seen, &mut count));
            function!(api, RELEASE_VALUE, fn(Handle) -> ())(first);
            let mut y = vec![0.0; count];
            let y_value = of(&mut y, &[batch as i64, (count / batch) as i64]);
            Peer { run, session, x: x_value, y: y_value, _numbers: [x, y] }
        }
    }

    /// Runs once.
    pub fn run(&mut self) {
        // SAFETY: made in `new`, with the numbers they hold.
        let status =
            unsafe { (self.run)(self.session, ptr::null_mut(), &INPUT.0, &self.x, 1, &OUTPUT.0, 1, &mut self.y) };
        assert!(status.is_null());
    }
}

/// A name as the functions want it.
struct Name(*const c_char);

// SAFETY: text that stays for the process.
unsafe impl Sync for Name {}

static INPUT: Name = Name(c"input".as_ptr());
static OUTPUT: Name = Name(c"output".as_ptr());
