// What users do wrong, on purpose or not: each is said, and nothing else is harmed.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Pontil;
using static Expect;

internal static class MisuseTests
{
    internal static void Run(Func<Network> open, Action<bool> must)
    {
        Nothing(must);
        WrongKinds(must);
        OneSessionOfManyThreads(open, must);
        DisposedWhileItRuns(open, must);
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
            int right = 0, second = 0;
            Thread[] threads = Enumerable.Range(1, 8).Select(count => new Thread(() =>
            {
                float[] x = Enumerable.Repeat((float)count, 2 * count).ToArray(), y = new float[count];
                for (int i = 0; i < 500; i++)
                {
                    try
                    {
                        session.Run(x, y);
                        if (y.All(one => one == 3 * count + 0.5f))
                        {
                            Interlocked.Increment(ref right);
                        }
                    }
                    catch (InvalidOperationException)
                    {
                        Interlocked.Increment(ref second);
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
            must(right > 0 && right + second == 8 * 500);
        }
    }

    /// <summary>Every member keeps out while another call runs, and lets in again when that is over.</summary>
    internal static void Seconds(Func<Network> open, Action<bool> must)
    {
        using (Network network = open())
        using (Session session = network.NewSession())
        {
            int port = 0;
            Keeps(must, session, new Action[]
            {
                () => session.Run(new float[2], new float[1]), () => session.Run(), () => session.Input<float>(port), () => session.Output<float>(port),
                () => session.Bind(false, 0, IntPtr.Zero, ElementType.F32), () => session.Tap(0, IntPtr.Zero), () => session.Swap(network),
                session.Reset, () => Console.Write(session.InstructionSet.Substring(0, 0)), () => must(session.Statistics.Allocations == 0),
            });
        }
    }

    internal static void Keeps(Action<bool> must, object of, Action[] calls)
    {
        const System.Reflection.BindingFlags Inside = System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Instance;
        object gate = of.GetType().GetField("gate", Inside).GetValue(of);
        using ((IDisposable)gate.GetType().GetMethod("Enter", Inside).Invoke(gate, null))
        {
            foreach (Action call in calls)
            {
                must(Throws<InvalidOperationException>(call).Message.Contains("in use by another call"));
            }
        }
        calls[0]();
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
}
