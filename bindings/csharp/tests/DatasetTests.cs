// Data sets out of streams: what is read ahead, what streams throw, and what becomes of the files of means.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using Pontil;
using static Expect;

internal static class DatasetTests
{
    /// <summary>Numbers of an example of the top: more than is looked at when a file is opened.</summary>
    private const int Inputs = 50000;

    private static readonly InvalidDataException Mine = new InvalidDataException("mine");

    internal static void Run(Action<bool> must)
    {
        byte[] model = Model();
        ReadsAheadOfStreams(model, must);
        StreamsThrow(model, must);
        Means(model, must);
        Arrays(model, must);
    }

    /// <summary>A model of Mocha: one example of the tops <c>0___weight</c> and <c>0___bias</c>.</summary>
    private static byte[] Model()
    {
        string words = "{\"kind\":\"stack\",\"layers\":[{\"kind\":\"dense\",\"inputs\":" + Inputs + ",\"outputs\":1}]}";
        using (var set = new ParameterSet())
        using (var bytes = new MemoryStream())
        using (var model = new MemoryStream())
        using (Description description = Description.Parse(words))
        {
            set.Root.Add<float>("0.weight", Enumerable.Range(0, Inputs).Select(at => (float)at).ToArray(), 1, Inputs);
            set.Root.Add<float>("0.bias", new float[] { 0.5f }, 1);
            set.Save(bytes);
            bytes.Position = 0;
            using (Network network = new Importer { Network = description }.Read(bytes))
            {
                network.Save(model, new SaveOptions { Format = "mocha" });
            }
            return model.ToArray();
        }
    }

    private static Dataset Open(Stream stream, Action<DatasetOptions> more = null)
    {
        var options = new DatasetOptions { Tops = new[] { "0___weight", "0___bias" }, Batch = 2 };
        if (more != null)
        {
            more(options);
        }
        using (Source source = Source.FromStream(stream))
        {
            return Dataset.Open(source, options);
        }
    }

    /// <summary>Bytes are asked for by threads that are in a call alone, and not after the set is open.</summary>
    private static void ReadsAheadOfStreams(byte[] model, Action<bool> must)
    {
        var stream = new Watched(model);
        var x = new float[2 * Inputs];
        var t = new float[2];
        using (Dataset set = Open(stream, options => options.Ahead = 2))
        {
            stream.Thrown = Mine;
            for (int round = 1; round <= 5; round++)
            {
                set.Next(x, t);
                must(x[2 * Inputs - 1] == Inputs - 1 && t[1] == 0.5f && set.Epoch == 2 * round);
            }
        }
        must(stream.Threads.Count == 1 && stream.Threads.Contains(Thread.CurrentThread.ManagedThreadId));
    }

    private static void StreamsThrow(byte[] model, Action<bool> must)
    {
        var stream = new Watched(model);
        using (Dataset set = Open(stream))
        {
            stream.Thrown = Mine;
            must(Throws<Exception>(() => set.Next(new float[2 * Inputs], new float[2])) == Mine);
        }
        must(Throws<Exception>(() => Open(stream)) == Mine);
    }

    private static void Means(byte[] model, Action<bool> must)
    {
        Func<Source, Exception> taken = mean => Throws<Exception>(() => Open(new MemoryStream(model), options =>
        {
            options.Means = new Dictionary<string, Source> { { "0___weight", mean } };
        }));
        Source gone = Source.FromMemory(model);
        gone.Dispose();
        must(taken(gone) is ObjectDisposedException);
        must(((ArgumentNullException)taken(null)).ParamName == "Means");
        foreach (bool fails in new[] { false, true })
        {
            using (Source source = Source.FromStream(new Watched(model) { Thrown = fails ? Mine : null }))
            {
                must(fails ? taken(source) == Mine : taken(source) is SlotLoadException);
            }
        }
    }

    private static void Arrays(byte[] model, Action<bool> must)
    {
        using (Dataset set = Open(new MemoryStream(model)))
        {
            var x = new float[2 * Inputs];
            must(Throws<Exception>(() => set.Next(x, new float[2], new float[2])).Message.Contains("2 tops, and there are 3 arrays"));
            must(Throws<Exception>(() => set.Next(x)) is PontilArgumentException);
            must(Throws<Exception>(() => set.Next(x, new float[3])) is ArgumentException);
            must(Throws<Exception>(() => set.Next(x, new int[2])) is ArgumentException);
            must(Throws<Exception>(() => set.Next(x, null)) is ArgumentException);
            must(Throws<Exception>(() => set.Next(null)) is ArgumentNullException && set.Epoch == 0);
        }
    }

    /// <summary>A stream that says who read it, and fails when it is told to.</summary>
    private sealed class Watched : MemoryStream
    {
        internal readonly HashSet<int> Threads = new HashSet<int>();
        internal Exception Thrown;

        internal Watched(byte[] bytes) : base(bytes)
        {
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            lock (Threads)
            {
                Threads.Add(Thread.CurrentThread.ManagedThreadId);
            }
            if (Thrown != null)
            {
                throw Thrown;
            }
            return base.Read(buffer, offset, count);
        }
    }
}
