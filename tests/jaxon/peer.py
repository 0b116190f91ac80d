"""Jaxon itself, for tests/jaxon/round.rs.

peer.py compare FOLDER OTHER   loads every file of OTHER and the one of the same name in FOLDER, and compares values, types
                               and which objects are one
peer.py make FOLDER COUNT      writes COUNT random trees
"""
import dataclasses, pathlib, random, struct, sys, types, warnings

warnings.simplefilter("ignore")
import jax, ml_dtypes, numpy as np
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import jaxon


@dataclasses.dataclass(eq=False)
class Linear:
    weight: object
    bias: object
    name: object = "linear"


@dataclasses.dataclass(eq=False)
class Model:
    layers: object
    lr: object = 0.01
    meta: object = None


class Interface:
    def __init__(self, inner=None):
        self.inner = inner

    def to_jaxon(self):
        return self.inner

    def from_jaxon(self, inner):
        self.inner = inner


def classes():
    """The module whose classes the samples name."""
    module = types.ModuleType("jxsample")
    for name, base in [("Linear", Linear), ("Model", Model)]:
        made = dataclasses.make_dataclass(name, [(f.name, object, f) for f in dataclasses.fields(base)], eq=False)
        made.__module__ = "jxsample"
        setattr(module, name, made)
    for name in ["Wrapped", "Pair", "Buf", "Token", "FromLinear"]:
        made = type(name, (Interface,), {"__module__": "jxsample"})
        setattr(module, name, made)
    module.Plain = type("Plain", (Interface,), {"__module__": "jxsample", "__eq__": lambda a, b: a is b, "__hash__": lambda a: 7})
    sys.modules["jxsample"] = module


def custom(hint):
    """An unmarshaler of any hint that is nobody else's."""
    def make(base):
        made = sys.modules["jxsample"].Plain()
        made.hint, made.inner = hint, base
        return made
    return make


def load(path):
    def unmarshal(hint, value):
        return None if hint.startswith(("dclass", "jaxon", "dill")) else custom(hint)(value)

    return jaxon.load(path, allow_dill=True, custom_unmarshalers=[unmarshal])


def differs(a, b, seen, way="$"):
    """Where two trees differ, or None. `seen` keeps which objects stand for which."""
    if type(a) is not type(b):
        return f"{way}: {type(a)} {type(b)}"
    shared = isinstance(a, (list, tuple, dict, set, frozenset, bytearray, np.ndarray, jax.Array)) or hasattr(a, "__dict__")
    if shared and not (isinstance(a, (tuple, frozenset)) and not a):
        if id(a) in seen or id(b) in seen.values():
            return None if seen.get(id(a)) == id(b) else f"{way}: shared otherwise"
        seen[id(a)] = id(b)
    if isinstance(a, (list, tuple)):
        if len(a) != len(b):
            return f"{way}: {len(a)} {len(b)}"
        for i, (x, y) in enumerate(zip(a, b)):
            if d := differs(x, y, seen, f"{way}[{i}]"):
                return d
        return None
    if isinstance(a, dict):
        if len(a) != len(b):
            return f"{way}: {list(a)} {list(b)}"
        for (k, x), (l, y) in zip(a.items(), b.items()):
            if d := differs(k, l, seen, f"{way} key {k!r}") or differs(x, y, seen, f"{way}[{k!r}]"):
                return d
        return None
    if isinstance(a, (set, frozenset)):
        # Members have no order; those that are equal by value are held against each other.
        if len(a) != len(b):
            return f"{way}: {a} {b}"
        rest = list(b)
        for x in a:
            place = next((i for i, y in enumerate(rest) if differs(x, y, dict(seen)) is None), None)
            if place is None:
                return f"{way}: {x!r} is not in {rest!r}"
            del rest[place]
        return None
    if isinstance(a, jax.Array):
        if (a.dtype, a.shape) != (b.dtype, b.shape) or np.asarray(a).tobytes() != np.asarray(b).tobytes():
            return f"{way}: {a!r} {b!r}"
        return None
    if isinstance(a, (np.ndarray, np.generic)):
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"{way}: {a.dtype} {a.shape} {b.dtype} {b.shape}"
        if a.dtype.kind in "fc" and a.dtype.itemsize in (16, 32) and a.dtype.char in "gG":
            return None if np.array_equal(a, b, equal_nan=True) else f"{way}: {a!r} {b!r}"
        return None if a.tobytes() == b.tobytes() else f"{way}: {a!r} {b!r}"
    if isinstance(a, float):
        return None if struct.pack("d", a) == struct.pack("d", b) or a != a and b != b else f"{way}: {a!r} {b!r}"
    if isinstance(a, complex):
        return differs([a.real, a.imag], [b.real, b.imag], {}, way)
    if hasattr(a, "__dict__"):
        return differs(vars(a), vars(b), seen, way)
    return None if a == b else f"{way}: {a!r} {b!r}"


ATOMS = [
    lambda r: None, lambda r: ..., lambda r: r.random() < 0.5, lambda r: r.randint(-5, 5), lambda r: r.getrandbits(r.choice([10, 63, 64, 200])) * r.choice([1, -1]),
    lambda r: r.choice([0.0, -0.0, 1e16, 1e-5, 5e-324, float("nan"), float("inf"), -float("inf"), r.random(), r.gauss(0, 1e10)]),
    lambda r: complex(r.choice([0.0, -0.0, 1.5, float("inf"), float("nan")]), r.choice([0.0, -0.0, 2.0, -1e20, float("nan")])),
    lambda r: text(r), lambda r: text(r), lambda r: range(r.randint(-9, 9), r.randint(-9, 9), r.choice([-3, 1, 2])),
    lambda r: r.randbytes(r.randint(0, 5)),
]
SCALARS = [np.bool_, np.int8, np.uint16, np.int32, np.uint64, np.float16, np.float32, np.float64, np.complex64, np.complex128, np.longdouble]
JAX = ["bool", "int8", "uint16", "int32", "int64", "uint64", "float16", "float32", "float64", "complex64", "complex128", "bfloat16",
       "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2", "float8_e5m2fnuz",
       "float4_e2m1fn", "int2", "int4", "uint2", "uint4"]


def text(r):
    letters = ["a", "b", "'", "\\", "/", ":", "#", "[", "]", " ", "\n", "\0", "\u00fc", "\U0001f600", "key(0)", "1", "None", "long" * 5]
    return "".join(r.choice(letters) for _ in range(r.choice([0, 1, 2, 3, 6, 20])))


def array(r):
    shape = r.choice([(), (0,), (1,), (3,), (2, 3), (2, 0, 3)])
    kind = r.randrange(6)
    if kind == 0:
        return (np.arange(np.prod(shape, dtype=int)).reshape(shape)).astype(r.choice([">f4", "<i8", ">i2", "?", "<c8", ">c16", "<f2"]))
    if kind == 1:
        a = np.zeros(shape, dtype=[("a", "i1"), ("b", "<f8", (2,)), ("c", [("s", "S3"), ("v", "V2")])])
        a["a"] = 7
        return a
    if kind == 2:
        return np.full(shape, b"x" * r.randint(1, 4))
    if kind == 3:
        return np.full(shape, 1.5, dtype=np.longdouble)
    name = r.choice(JAX)
    dtype = getattr(ml_dtypes, name, None) or np.dtype(name)
    if name.startswith("uint") or name == "bool":
        numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape) % 2
    else:
        numbers = np.resize([0, 1, -1], shape)
    return jnp.asarray(numbers, dtype=dtype)


def key(r, depth):
    k = r.randrange(12)
    if k < 6:
        return text(r)
    if k < 9:
        return r.choice(ATOMS)(r)
    if k == 9:
        return tuple(r.choice(ATOMS)(r) for _ in range(r.randint(0, 2)))
    if k == 10:
        return r.choice(SCALARS[:-1])(1)
    return frozenset([r.randint(0, 5)])


def tree(r, depth, pool):
    if pool and r.random() < 0.12:
        return r.choice(pool)
    k = r.randrange(20 if depth else 9)
    if k < 5:
        return r.choice(ATOMS)(r)
    if k < 6:
        made = r.choice(SCALARS)(r.choice([0, 1, 2.5]))
    elif k < 7:
        made = r.choice([np.str_("x\u00fc"), np.str_(""), np.bytes_(b"ab"), np.bytes_(b""), np.void(b"v\0"), bytearray(b"ba\0"), bytearray()])
    elif k < 9:
        made = array(r)
    elif k < 12:
        made = [tree(r, depth - 1, pool) for _ in range(r.choice([0, 1, 2, 3, 12]))]
    elif k < 14:
        made = tuple(tree(r, depth - 1, pool) for _ in range(r.randint(0, 3)))
    elif k < 15:
        made = r.choice([set, frozenset])(r.choice(ATOMS)(r) for _ in range(r.randint(0, 4)))
    elif k < 16:
        made = Linear(tree(r, depth - 1, pool), tree(r, depth - 1, pool), text(r))
    else:
        made = {}
        for _ in range(r.choice([0, 1, 2, 3, 12])):
            made[key(r, depth)] = tree(r, depth - 1, pool)
    pool.append(made)
    return made


if __name__ == "__main__":
    sys.modules["peer"] = sys.modules["__main__"]
    for own in (Linear, Model, Interface):
        own.__module__ = "peer"
    classes()
    command, folder, other = sys.argv[1:]
    folder = pathlib.Path(folder)
    if command == "make":
        made, seed = 0, 0
        while made < int(other):
            seed += 1
            r = random.Random(seed)
            value = tree(r, 4, [])
            path = folder / f"{made:04}.h5"
            jaxon.save(path, value)
            try:
                jaxon.load(path)
            except Exception:  # A few of Jaxon's own files can not be loaded by Jaxon.
                continue
            made += 1
    else:
        failed = ran = 0
        for path in sorted(pathlib.Path(other).glob("*.h5")):
            try:
                want = load(folder / path.name)
            except Exception as error:  # Not everything that is read can be loaded by Jaxon.
                want = error
            try:
                found = load(path)
            except Exception as error:
                found = error
            if isinstance(want, Exception):
                ok = "ours" if not isinstance(found, Exception) else f"{type(want).__name__}"
                print(f"{path.name}: Jaxon does not load the first file ({want}); the second: {ok}")
                continue
            ran += 1
            what = f"{found!r}" if isinstance(found, Exception) else differs(want, found, {})
            if what:
                failed += 1
                print(f"{path.name}: {what}")
        print(f"{ran} compared, {failed} differ")
        sys.exit(failed > 0 or not ran)
