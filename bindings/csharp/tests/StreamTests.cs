// Streams of every kind, the ones beside them, and what they throw.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Pontil;
using static Expect;

internal static class StreamTests
{
    internal static void Run(Action<bool> must)
    {
        Streams(must);
        Neighbours(must);
        Once(must);
    }

    /// <summary>What a stream throws once comes out, also where the library goes on without those bytes. One that gives little at a
    /// time is read to its end.</summary>
    private static void Once(Action<bool> must)
    {
        byte[] bytes;
        using (var set = new ParameterSet())
        using (var saved = new MemoryStream())
        {
            for (int at = 0; at < 4; at++)
            {
                set.Root.Add<float>("a" + at, new float[5000], 5000);
            }
            set.Save(saved, new SaveOptions { Format = "julia" });
            bytes = saved.ToArray();
        }
        int well = 0;
        for (bool threw = true; threw; well++)
        {
            var stream = new Paced(bytes, true, int.MaxValue) { Left = well };
            Exception came = null;
            try
            {
                ReadAll(stream);
            }
            catch (InvalidDataException thrown)
            {
                came = thrown;
            }
            threw = stream.Left < 0;
            must(ReferenceEquals(came, threw ? Mine : null));
        }
        must(well > 3);
        ReadAll(new Paced(bytes, false, 1));
    }

    private static void ReadAll(Stream stream)
    {
        using (Source source = Source.FromStream(stream))
        using (ModelFile file = new Importer().Open(source))
        using (ParameterSet set = file.ReadParameters())
        {
        }
    }

    private static void Read(Func<string, Stream> neighbour, Context context = null)
    {
        using (Source source = Source.FromStream(new MemoryStream(External()), neighbour, context))
        using (ModelFile file = new Importer { Context = context }.Open(source))
        using (Network network = file.ReadNetwork())
        {
        }
    }

    /// <summary>A stream beside a file is closed, whatever becomes of it; what it throws comes out.</summary>
    private static void Neighbours(Action<bool> must)
    {
        var forward = new Beside(new byte[4], false);
        Read(name => forward);
        must(forward.Closed);
        var failing = new Beside(new byte[4], false) { Thrown = Mine };
        must(ReferenceEquals(Throws<InvalidDataException>(() => Read(name => failing)), Mine) && failing.Closed);
        failing = new Beside(new byte[4], true) { Thrown = Mine };
        must(ReferenceEquals(Throws<InvalidDataException>(() => Read(name => failing)), Mine));
        GC.Collect();
        GC.WaitForPendingFinalizers();
        must(failing.Closed);
        using (var context = new Context(new ContextOptions { MaxFileBytes = 5000 }))
        {
            foreach (bool seeks in new[] { false, true })
            {
                var large = new Beside(new byte[10000], seeks);
                must(Throws<SlotLoadException>(() => Read(name => large, context)).Code == Status.Limit && large.Closed);
            }
        }
        // A call within a callback is a call of its own, and what it was refused for is not the outer call's.
        must(ReferenceEquals(Throws<InvalidDataException>(() => Read(name =>
        {
            Throws<SlotLoadException>(() => Source.FromFile("/nowhere/at/all"));
            Throws<DivideByZeroException>(() => Source.FromStream(new Beside(new byte[4], false) { Thrown = new DivideByZeroException() }));
            throw Mine;
        })), Mine));
        must(Throws<SlotLoadException>(() => Read(name =>
        {
            Throws<DivideByZeroException>(() => Source.FromStream(new Beside(new byte[4], false) { Thrown = new DivideByZeroException() }));
            return null;
        })).Code == Status.NotFound);
    }

    private static void Streams(Action<bool> must)
    {
        using (var context = new Context(new ContextOptions { MaxFileBytes = 100000 }))
        {
            must(Throws<SlotLoadException>(() => new Importer { Context = context }.Read(new Endless())).Code == Status.Limit);
        }
        var beside = new MemoryStream(new byte[4]);
        int asked = 0;
        Func<string, Stream> neighbour = name =>
        {
            asked++;
            return beside;
        };
        using (Source source = Source.FromStream(new MemoryStream(External()), neighbour))
        using (ModelFile file = new Importer().Open(source))
        using (Network network = file.ReadNetwork())
        {
            must(asked > 0 && network.Slots.Count > 0);
        }
        GC.Collect();
        GC.WaitForPendingFinalizers();
        must(!beside.CanRead);
        // A file that says its layers itself can be watched and ended too.
        var stop = new Stopping();
        must(ReferenceEquals(Throws<InvalidDataException>(() =>
        {
            using (Source source = Source.FromStream(new MemoryStream(External()), name => new MemoryStream(new byte[4])))
            using (ModelFile file = new Importer().Open(source, stop))
            {
                file.ReadNetwork();
            }
        }), Mine));
        must(ReferenceEquals(Throws<InvalidDataException>(() =>
        {
            using (Source source = Source.FromStream(new MemoryStream(External()), name => { throw Mine; }))
            {
                new Importer().Open(source).ReadNetwork();
            }
        }), Mine));
    }

    private static readonly InvalidDataException Mine = new InvalidDataException("mine");

    /// <summary>An ONNX graph <c>y = x w</c> whose one number lies in another file.</summary>
    private static byte[] External()
    {
        byte[] location = Pair("location", "w.bin");
        byte[] weight = Join(Number(1, 1), Number(1, 1), Number(2, 1), Field(8, Ascii("w")), Field(13, location), Number(14, 1));
        byte[] node = Join(Field(1, Ascii("x")), Field(1, Ascii("w")), Field(2, Ascii("y")), Field(3, Ascii("n")), Field(4, Ascii("MatMul")));
        byte[] graph = Join(Field(1, node), Field(2, Ascii("g")), Field(5, weight), Field(11, Value("x")), Field(12, Value("y")));
        return Join(Number(1, 8), Field(7, graph), Field(8, Join(Field(1, Ascii("")), Number(2, 17))));
    }

    private static byte[] Pair(string key, string value)
    {
        return Join(Field(1, Ascii(key)), Field(2, Ascii(value)));
    }

    private static byte[] Value(string name)
    {
        byte[] shape = Join(Field(1, Field(2, Ascii("batch"))), Field(1, Number(1, 1)));
        return Join(Field(1, Ascii(name)), Field(2, Field(1, Join(Number(1, 1), Field(2, shape)))));
    }

    private static byte[] Ascii(string text)
    {
        return System.Text.Encoding.ASCII.GetBytes(text);
    }

    private static byte[] Number(int field, byte value)
    {
        return new[] { (byte)(field << 3), value };
    }

    private static byte[] Field(int field, byte[] bytes)
    {
        var length = new List<byte> { (byte)((field << 3) | 2) };
        int left = bytes.Length;
        for (; left > 127; left >>= 7)
        {
            length.Add((byte)(left | 128));
        }
        length.Add((byte)left);
        return Join(length.ToArray(), bytes);
    }

    private static byte[] Join(params byte[][] parts)
    {
        return parts.SelectMany(part => part).ToArray();
    }

    private sealed class Stopping : IProgress<double>
    {
        public void Report(double value)
        {
            throw Mine;
        }
    }

    private sealed class Beside : MemoryStream
    {
        private readonly bool seeks;
        internal Exception Thrown;
        internal bool Closed;

        internal Beside(byte[] bytes, bool seeks) : base(bytes)
        {
            this.seeks = seeks;
        }

        public override bool CanSeek
        {
            get { return seeks; }
        }

        public override long Position
        {
            get { return seeks ? base.Position : throw new NotSupportedException(); }
            set { base.Position = seeks ? value : throw new NotSupportedException(); }
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            return Thrown == null ? base.Read(buffer, offset, count) : throw Thrown;
        }

        protected override void Dispose(bool disposing)
        {
            Closed = true;
            base.Dispose(disposing);
        }
    }

    /// <summary>Gives so many bytes at a time, and fails once after so many reads.</summary>
    private sealed class Paced : MemoryStream
    {
        private readonly bool seeks;
        private readonly int most;
        internal int Left = int.MaxValue;

        internal Paced(byte[] bytes, bool seeks, int most) : base(bytes)
        {
            this.seeks = seeks;
            this.most = most;
        }

        public override bool CanSeek
        {
            get { return seeks; }
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            return Left-- == 0 ? throw Mine : base.Read(buffer, offset, Math.Min(count, most));
        }
    }

    private sealed class Endless : MemoryStream
    {
        public override bool CanSeek
        {
            get { return false; }
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            return count;
        }
    }
}
