//! The command line: what each command and option is called, and what it says of itself.

use clap::{Args, Parser, Subcommand, ValueEnum};
use pontil::{
    describe::Layout,
    plan::{Isa, Precision},
};
use std::path::{Path, PathBuf};

/// Takes a trained network in from another framework, checks it, and runs it.
///
/// Faults are said one a line on the standard error, all of them at once. The exit code is 0 when the work is done, 1 for a
/// mistake in how the tool was called (a bad option, a missing file, an input that does not fit), and 2 when the file or the
/// description of the network is refused.
#[derive(Parser)]
#[command(name = "pontil", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print one JSON object on the standard output, faults too.
    #[arg(long, global = true, display_order = 100)]
    pub json: bool,
}

const EXAMPLES: &str = "Examples:
  pontil inspect model.safetensors
  pontil check model.safetensors --network network.json
  pontil predict model.safetensors --network network.json --input rows.csv
  pontil demo";

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Say what a file holds: format, tensors, layers where they are known, notes.
    #[command(after_help = "Examples:
  pontil inspect model.safetensors
  pontil inspect model.safetensors --network network.json --json
  pontil inspect model.safetensors --network network.json --plan")]
    Inspect(InspectArgs),
    /// Read everything and say every fault; with a network, build it and put the numbers in.
    #[command(after_help = "Examples:
  pontil check model.safetensors
  pontil check model.safetensors --network network.json --strip-prefix module.")]
    Check(FileArgs),
    /// Run a network on an array of examples.
    #[command(after_help = "Examples:
  pontil predict model.safetensors --network network.json --input rows.csv
  pontil predict model.safetensors --network network.json --input rows.npy --output answers.npy
  pontil predict model.safetensors --network network.json --input io.safetensors --loss binaryCrossEntropy --json")]
    Predict(PredictArgs),
    /// Run a network in Mocha's words, its losses and statistics too, over a data set of HDF5 files.
    #[command(after_help = "Examples:
  pontil evaluate model.hdf5 --network lenet.json --data data/test.txt
  pontil evaluate model.caffemodel --network lenet.json --runs 10 --double --json")]
    Evaluate(EvaluateArgs),
    /// Say how long a network takes to load, to plan and to run, and how much memory.
    #[command(after_help = "Examples:
  pontil bench model.safetensors --network network.json
  pontil bench model.safetensors --network network.json --batch 256 --threads 2 --json")]
    Bench(BenchArgs),
    /// Put the numbers of a file into another format, safetensors or a parameter set of Julia (.h5); or a network into ONNX.
    #[command(after_help = "Examples:
  pontil convert model.safetensors set.h5
  pontil convert set.h5 model.safetensors
  pontil convert checkpoint.pt set.h5 --key model --split-names
  pontil convert model.safetensors model.onnx --network network.json")]
    Convert(ConvertArgs),
    /// List the words a network is written in, each with its schema.
    Words,
    /// Run the shipped Titanic network beside PyTorch's answers, then show the faults of a spoiled twin of its file.
    Demo(RunArgs),
}

impl Command {
    /// The file of `--network`, if the command has one.
    pub fn network(&self) -> Option<&Path> {
        match self {
            Command::Inspect(args) => args.file.network.as_deref(),
            Command::Check(args) => args.network.as_deref(),
            Command::Predict(args) => args.file.network.as_deref(),
            Command::Bench(args) => args.file.network.as_deref(),
            Command::Evaluate(args) => Some(&args.network),
            Command::Convert(args) => args.from.network.as_deref(),
            Command::Words | Command::Demo(_) => None,
        }
    }
}

/// A file and what to know about it.
#[derive(Args)]
pub struct FileArgs {
    /// The file that holds the network.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The network in words, as JSON: Pontil's words, PyTorch's or Mocha's.
    #[arg(long, value_name = "JSON")]
    pub network: Option<PathBuf>,
    /// Order of the axes at inputs and outputs.
    #[arg(long, value_enum, default_value = "as_file")]
    pub layout: LayoutArg,
    /// Take this away from the beginning of every tensor's name, e.g. "module.".
    #[arg(long, value_name = "PREFIX")]
    pub strip_prefix: Option<String>,
    /// The entry of a checkpoint that holds the numbers, e.g. "model_state_dict"; of HDF5 the group, of Jaxon the path.
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// Put weights together that PyTorch keeps in parts (weight_norm, spectral_norm, pruning).
    #[arg(long)]
    pub fold_weight_norm: bool,
    /// Shape of one example without the batch, e.g. "28,28,1"; given again, that of the next input.
    #[arg(long, value_name = "SHAPE", value_parser = shape)]
    pub example: Vec<Shape>,
    /// Shape that a flatten is handed, window axes first and channels last, e.g. "7=7,7,64"; may be given again.
    ///
    /// PATH is the flatten's own; in a network written as code, that of the dense or normalisation layer behind it.
    #[arg(long, value_name = "PATH=SHAPE", value_parser = flattened)]
    pub flattened: Vec<(String, Shape)>,
    /// The loss the network was trained with: meanSquaredError, crossEntropy, binaryCrossEntropy, earthMoversDistance.
    #[arg(long, value_name = "WORD")]
    pub loss: Option<String>,
    /// Let the loss take the last activation over, a sigmoid or softmax, which is left out of the network; of a file that says its
    /// layers (Keras, ONNX; of the latter with `--loss`).
    #[arg(long)]
    pub lift_loss: bool,
    /// Put the network in a row of layers, with every bias, for hosts that hold a stack; what is no row is refused. Of a file that
    /// says its layers.
    #[arg(long)]
    pub stack: bool,
}

/// What is said of a file.
#[derive(Args)]
pub struct InspectArgs {
    /// Of which.
    #[command(flatten)]
    pub file: FileArgs,
    /// Load the network too, and say the steps that it runs in: kernels, shapes, bytes, what is done together.
    #[arg(long)]
    pub plan: bool,
    /// Say the network as text for Graphviz, and nothing else.
    #[arg(long, conflicts_with = "plan")]
    pub dot: bool,
    /// The precision whose plan it is.
    #[arg(long, value_enum, default_value = "standard", requires = "plan")]
    pub precision: PrecisionArg,
}

/// From one file into another.
#[derive(Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub from: FileArgs,
    /// The file that is written: .safetensors; .h5 for a parameter set of Julia; .onnx for a network with its layers.
    #[arg(value_name = "TO")]
    pub to: PathBuf,
    /// What is written, if the ending does not say it: nested Python values of Jaxon stand in .h5 too.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<FormatArg>,
    /// Make a branch of each part of a name that ends in a dot: "fc1.weight" becomes `weight` in `fc1`.
    #[arg(long)]
    pub split_names: bool,
    /// Leave the bytes of arrays as they are between Julia and the others, so that their axes come in the opposite order.
    ///
    /// Without it the numbers are moved: w[i, j] in PyTorch is w[i, j] in Julia.
    #[arg(long)]
    pub keep_bytes: bool,
}

/// Formats that are written.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum FormatArg {
    /// Arrays by name.
    Safetensors,
    /// A parameter set of Julia, in HDF5.
    Julia,
    /// Nested Python values, in HDF5.
    Jaxon,
    /// A network with its layers.
    Onnx,
    /// A network's numbers by its layers, in HDF5, as Mocha has them.
    Mocha,
}

/// A run over an array.
#[derive(Args)]
pub struct PredictArgs {
    /// What runs.
    #[command(flatten)]
    pub file: FileArgs,
    /// Examples, the first axis counting them: .npy, .csv (a row each, a first line of names is passed over), or .safetensors
    /// with `input`, `input.1`, ….
    #[arg(long, value_name = "IN")]
    pub input: PathBuf,
    /// Where the answers go: .safetensors, or .npy or .csv for a single output. Without it they are printed.
    #[arg(long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// How it runs.
    #[command(flatten)]
    pub run: RunArgs,
}

/// A network and the data it is run on.
#[derive(Args)]
pub struct EvaluateArgs {
    /// The file that holds the numbers: a model or snapshot of Mocha, a .caffemodel, or a state dict.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The network in Mocha's words, as JSON.
    #[arg(long, value_name = "JSON")]
    pub network: PathBuf,
    /// The list of HDF5 files, a path a line; without it the `source` of the network's data layers.
    #[arg(long, value_name = "LIST")]
    pub data: Option<PathBuf>,
    /// Where the paths of lists begin, if not in the folder the tool is called in.
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// How many batches are run; without it all until every example has been seen once.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: Option<u64>,
    /// Compute in double precision.
    #[arg(long)]
    pub double: bool,
    /// From which seed shuffled orders and random layers draw.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
}

/// What is measured.
#[derive(Args)]
pub struct BenchArgs {
    /// Of which network.
    #[command(flatten)]
    pub file: FileArgs,
    /// Examples of a run whose throughput is measured; the latency is that of one example.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = batch)]
    pub batch: usize,
    /// How long each of the two is measured.
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f32,
    /// The instruction set of the kernels: portable, avx2, avx512, neon; if not said the best that is not AVX-512.
    #[arg(long, value_name = "NAME", value_parser = instruction_set)]
    pub instruction_set: Option<Isa>,
    /// How it runs.
    #[command(flatten)]
    pub run: RunArgs,
}

fn batch(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&count| count > 0).ok_or_else(|| "a number from 1 up".into())
}

fn seconds(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds)).ok_or_else(|| "seconds from 0 to 3600".into())
}

fn instruction_set(text: &str) -> Result<Isa, String> {
    let names = || Isa::ALL.map(Isa::name).join(", ");
    Isa::ALL.into_iter().find(|isa| isa.name() == text).ok_or_else(|| format!("one of {}", names()))
}

/// How a network runs.
#[derive(Args)]
pub struct RunArgs {
    /// How totals are kept: standard in singles, exact in doubles rounded once.
    #[arg(long, value_enum, default_value = "standard")]
    pub precision: PrecisionArg,
    /// Threads to compute with; the answers do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
}

/// Lengths of axes.
#[derive(Clone)]
pub struct Shape(pub Vec<usize>);

fn shape(text: &str) -> Result<Shape, String> {
    let lengths = text.split(',').map(|length| length.trim().parse().ok().filter(|&length| length > 0));
    lengths
        .collect::<Option<_>>()
        .map(Shape)
        .ok_or_else(|| "lengths from 1 up with commas between, e.g. 28,28,1".into())
}

fn flattened(text: &str) -> Result<(String, Shape), String> {
    let (path, lengths) = text.rsplit_once('=').ok_or("a path, `=` and a shape, e.g. 7=7,7,64")?;
    Ok((path.to_owned(), shape(lengths)?))
}

/// Words of `--layout`.
#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum LayoutArg {
    /// As the framework has it that the network comes from.
    AsFile,
    /// Batch, window axes, channels.
    ChannelsLast,
    /// Batch, channels, window axes.
    ChannelsFirst,
}

impl From<LayoutArg> for Layout {
    fn from(word: LayoutArg) -> Layout {
        match word {
            LayoutArg::AsFile => Layout::AsFile,
            LayoutArg::ChannelsLast => Layout::ChannelsLast,
            LayoutArg::ChannelsFirst => Layout::ChannelsFirst,
        }
    }
}

/// Words of `--precision`.
#[derive(Clone, Copy, ValueEnum)]
pub enum PrecisionArg {
    /// Totals in singles.
    Standard,
    /// Totals in doubles, rounded once.
    Exact,
}

impl From<PrecisionArg> for Precision {
    fn from(word: PrecisionArg) -> Precision {
        match word {
            PrecisionArg::Standard => Precision::Standard,
            PrecisionArg::Exact => Precision::Exact,
        }
    }
}
