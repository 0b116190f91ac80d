// What users do wrong, on purpose or not: each is said, and nothing else is harmed.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using Pontil;

internal static class MisuseTests
{
    internal static void Run(Func<Network> open, Action<bool> must)
    {
        Nothing(must);
        WrongKinds(must);
        OneSessionOfManyThreads(open, must);
        DisposedWhileItRuns(open, must);
        Streams(must);
        using (Network network = open())
        using (Session session = network.NewSession())
        {
            var source = new CancellationTokenSource();
            var y = new float[1];
            session.Run(new float[] { 1, 10 }, y, source.Token);
            must(y[0] == 21.5f);
            source.Cancel();
            must(Throws<OperationCanceledException>(() => session.Run(new float[2], y, source.Token)).CancellationToken == source.Token);
        }
    }

    private static T Throws<T>(Action call) where T : Exception
    {
        try
        {
            call();
        }
        catch (T thrown)
        {
            return thrown;
        }
        throw new Exception("no " + typeof(T).Name + " was thrown");
    }

    private static void Nothing(Action<bool> must)
    {
        must(Throws<ArgumentNullException>(() => new Importer().Open(null)).ParamName == "source");
        must(Throws<ArgumentNullException>(() => new Importer().Read((string)null)).ParamName == "path");
        must(Throws<ArgumentNullException>(() => Source.FromMemory((byte[])null)).ParamName == "bytes");
        must(Throws<ArgumentNullException>(() => new Session(null)).ParamName == "network");
        must(Throws<ArgumentNullException>(() => Network.Build(null)).ParamName == "description");
        must(Throws<ArgumentNullException>(() => new FlatLayout(null)).ParamName == "set");
        must(Throws<ArgumentNullException>(() => new ParameterSet().DifferenceTo(null)).ParamName == "other");
        must(Throws<ArgumentNullException>(() => new ParameterSet().Root.Add("a", (string)null)).ParamName == "text");
        Throws<InvalidOperationException>(() => Console.WriteLine(default(ParameterNode).Kind));
        var set = new ParameterSet();
        set.Dispose();
        must(Throws<ObjectDisposedException>(() => set.Root.Remove()).ObjectName == "Pontil.ParameterSet");
    }

    private static void WrongKinds(Action<bool> must)
    {
        using (var set = new ParameterSet())
        {
            ParameterNode root = set.Root;
            root.Add("i", 7L);
            root.Add("t", "text");
            root.Add("b", true);
            root.Add<float>("a", new float[] { 1, 2 }, 2);
            must(set["/i"].ToDouble() == 7 && set["/b"].ToInt64() == 1 && set["/i"].KeyNode == null && set["/i"].Target == null);
            Throws<InvalidOperationException>(() => set["/t"].ToInt64());
            Throws<InvalidOperationException>(() => set["/t"].ToDouble());
            Throws<InvalidOperationException>(() => set["/i"].ToText());
            Throws<InvalidOperationException>(() => set["/a"].Numbers<double>());
            Throws<PontilArgumentException>(() => set["/i"].Numbers<float>());
            Throws<ArgumentException>(() => root.Add<float>("x", new float[2], 3));
            Throws<ArgumentException>(() => root.Add("\ud800", 1L));
            Throws<NotSupportedException>(() => root.Add<char>("x", new char[1], 1));
            string said = Throws<PontilArgumentException>(() => root.Add("a\0b", 1L)).Message;
            must(said.Contains("NUL") && said.Contains("argument.text"));
        }
    }

    /// <summary>A session is for one thread. Here eight run it, each with another number of examples: who comes second is told so, and
    /// the answers of the others are right.</summary>
    private static void OneSessionOfManyThreads(Func<Network> open, Action<bool> must)
    {
        using (Network network = open())
        using (Session session = network.NewSession(new SessionOptions { MaxBatch = 8 }))
        {
            int others = 0;
            Thread[] threads = Enumerable.Range(1, 8).Select(count => new Thread(() =>
            {
                float[] x = Enumerable.Repeat((float)count, 2 * count).ToArray(), y = new float[count];
                for (int i = 0; i < 500; i++)
                {
                    try
                    {
                        session.Run(x, y);
                        others += y.All(one => one == 3 * count + 0.5f) ? 0 : 1;
                    }
                    catch (Exception thrown)
                    {
                        others += thrown is InvalidOperationException ? 0 : 1;
                    }
                }
            })).ToArray();
            foreach (Thread thread in threads)
            {
                thread.Start();
            }
            foreach (Thread thread in threads)
            {
                thread.Join();
            }
            must(others == 0);
        }
    }

    private static void DisposedWhileItRuns(Func<Network> open, Action<bool> must)
    {
        using (Network network = open())
        {
            for (int round = 0; round < 20; round++)
            {
                Session session = network.NewSession();
                string said = null;
                var running = new ManualResetEventSlim();
                var thread = new Thread(() =>
                {
                    var y = new float[1];
                    try
                    {
                        for (;;)
                        {
                            session.Run(new float[2], y);
                            running.Set();
                        }
                    }
                    catch (ObjectDisposedException disposed)
                    {
                        said = disposed.ObjectName;
                    }
                });
                thread.Start();
                running.Wait();
                session.Dispose();
                thread.Join();
                must(said != null);
            }
        }
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
