// Everything the binding offers, used as its users would. Prints what failed, then `N passed, N failed`.
// usage: Tests.exe LIBRARY FILE FOR THE LAYOUTS, or Tests.exe where there is no library

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Pontil;
using static Expect;

internal static class Tests
{
    private const string Words = "{\"kind\":\"stack\",\"layers\":[{\"kind\":\"dense\",\"inputs\":2,\"outputs\":1}]}";

    private const string Mocha =
        "{\"style\":\"mocha\",\"inputs\":[{\"name\":\"x\",\"shape\":[2]},{\"name\":\"t\",\"shape\":[1]}],\"layers\":[" +
        "{\"kind\":\"InnerProductLayer\",\"name\":\"0\",\"bottoms\":[\"x\"],\"tops\":[\"y\"],\"output_dim\":1}," +
        "{\"kind\":\"SquareLossLayer\",\"name\":\"loss\",\"bottoms\":[\"y\",\"t\"]}]}";

    private static int passed, failed;

    private static void Test(string name, Action test)
    {
        try
        {
            test();
            passed++;
        }
        catch (Exception thrown)
        {
            failed++;
            Console.WriteLine("FAILED: " + name + ": " + thrown);
        }
    }

    private static void Must(bool thing, [CallerLineNumber] int line = 0)
    {
        if (!thing)
        {
            throw new Exception("line " + line + ": not so");
        }
    }

    private static byte[] Saved(params long[] shape)
    {
        using (var set = new ParameterSet())
        using (var stream = new MemoryStream())
        {
            var numbers = new float[] { 1, 2, 3 };
            set.Root.Add<float>("0.weight", numbers.AsSpan(0, (int)shape.Aggregate(1L, (a, b) => a * b)), shape);
            set.Root.Add<float>("0.bias", new float[] { 0.5f }, 1);
            set.Save(stream);
            return stream.ToArray();
        }
    }

    private static Network Opened(Func<Importer, Network> read)
    {
        using (Description words = Description.Parse(Words))
        {
            return read(new Importer { Network = words });
        }
    }

    private static Network Opened()
    {
        return Opened(importer => importer.Read(new MemoryStream(Saved(1, 2))));
    }

    private static float Answer(Network network)
    {
        using (Session session = network.NewSession())
        {
            var y = new float[1];
            session.Run(new float[] { 1, 10 }, y);
            return y[0];
        }
    }

    private static void EveryKindOfSource()
    {
        byte[] bytes = Saved(1, 2);
        string path = Path.Combine(Path.GetTempPath(), "pontil-\u00e9\u65e5-" + Guid.NewGuid() + ".safetensors");
        File.WriteAllBytes(path, bytes);
        Must(Answer(Opened(importer => importer.Read(path))) == 21.5f);
        Must(Answer(Opened(importer => importer.Read(new MemoryStream(bytes)))) == 21.5f);
        Must(Answer(Opened(importer => importer.Read(new ForwardOnly(bytes)))) == 21.5f);
        using (Source source = Source.FromMemory(bytes))
        {
            Must(Answer(Opened(importer => importer.Open(source).ReadNetwork())) == 21.5f);
        }
        File.Delete(path);
    }

    private static void FaultsAreEqualFromEverywhere()
    {
        byte[] bad = Saved(1, 3);
        var one = Throws<SlotLoadException>(() => Opened(importer => importer.Read(new MemoryStream(bad))));
        var other = Throws<SlotLoadException>(() => Opened(importer => importer.Open(Source.FromMemory(bad)).ReadNetwork()));
        Must(one is FormatException && one.Code == Status.SlotShape && one.Faults.Count == 1);
        Must(one.Message == other.Message && one.Faults[0].Path == "0.weight" && one.Faults[0].Name == "slot.shape");
        Must(one.Faults[0].IsError && one.Faults[0].Offset == other.Faults[0].Offset && one.Faults[0].ArgumentsJson.StartsWith("{"));
    }

    private static void MistakesAreArgumentExceptions()
    {
        Must(Throws<PontilArgumentException>(() => Source.FromFile("a\0b")) is ArgumentException);
        Throws<ArgumentNullException>(() => Source.FromStream(null));
        Throws<ArgumentNullException>(() => Description.Parse(null));
        Must(Throws<SlotLoadException>(() => Source.FromFile("/nowhere/at/all")).Code == Status.NotFound);
        Must(Throws<SlotLoadException>(() => Description.Parse("{")).Code == Status.Syntax);
        Throws<KeyNotFoundException>(() => new ParameterSet()["/nothing"].ToDouble());
        using (Session session = Opened().NewSession())
        {
            Throws<ArgumentException>(() => session.Run(new float[3], new float[1]));
            Throws<ArgumentException>(() => session.Run(new float[2], new float[2]));
        }
    }

    private static void DataSetsFeedNetworksOfMocha()
    {
        using (var model = new MemoryStream())
        using (Source file = Source.FromMemory(Saved(1, 2)))
        using (ModelFile numbers = new Importer().Open(file))
        using (Description words = Description.Parse(Mocha))
        {
            Opened().Save(model, new SaveOptions { Format = "mocha" });
            var options = new DatasetOptions
            {
                Tops = new[] { "0___weight", "0___bias" },
                Scales = new Dictionary<string, double> { { "0___bias", 4 } },
                Seed = 3,
            };
            var x = new float[2];
            var t = new double[1];
            using (Source data = Source.FromMemory(model.ToArray()))
            using (Dataset set = Dataset.Open(data, options))
            {
                Must(set.Examples == 1 && set.Tops[0].Name == "0___weight" && set.Tops[0].Shape.Count == 1);
                set.Next(x, t);
                Must(x[0] == 1 && x[1] == 2 && t[0] == 2 && set.Epoch == 1);
                Throws<ArgumentException>(() => set.Next(new float[3], t));
                Throws<PontilArgumentException>(() => set.Next(x));
                MisuseTests.Keeps(thing => Must(thing), set, new Action[] { () => set.Next(x, t), () => Must(set.Epoch > 0) });
            }
            using (var whole = new Evaluation(words, numbers))
            {
                var blobs = new Dictionary<string, KeyValuePair<Array, long[]>>
                {
                    { "x", new KeyValuePair<Array, long[]>(x, new long[] { 1, 2 }) },
                    { "t", new KeyValuePair<Array, long[]>(t, new long[] { 1, 1 }) },
                };
                Must(whole.Run(blobs) == 6.125);
                Must(whole.Figures[0].IsLoss && whole.Figures[1].Name == "loss-square-loss" && whole.Figures[1].Count == 1);
                IReadOnlyList<long> shape;
                Must(whole.Blob("y", out shape)[0] == 5.5 && shape.Count == 2);
                Throws<PontilArgumentException>(() => whole.Draw("nobody", new double[1]));
                whole.Reset();
                whole.Write();
                Must(whole.Figures[1].Count == 0);
                MisuseTests.Keeps(thing => Must(thing), whole, new Action[]
                {
                    () => whole.Run(blobs), () => whole.Draw("nobody", new double[1]), () => Must(whole.Figures.Count > 0),
                    () => whole.Blob("y", out shape), whole.Reset, whole.Write,
                });
            }
        }
    }

    private static void DisposedHandlesAreSaid()
    {
        Network network = Opened();
        Session session = network.NewSession();
        network.Dispose();
        network.Dispose();
        session.Run(new float[2], new float[1]);
        session.Dispose();
        Throws<ObjectDisposedException>(() => session.Run(new float[2], new float[1]));
        Throws<ObjectDisposedException>(() => network.NewSession());
        Throws<ObjectDisposedException>(() => { long slots = network.Slots.Count; });
    }

    private static void WhatACallbackThrowsComesOut()
    {
        var failing = new Failing();
        Must(ReferenceEquals(Throws<InvalidDataException>(() => Opened(importer => importer.Read(failing))), failing.Thrown));
        Throws<InvalidDataException>(() => Opened(i => i.Read(new MemoryStream(Saved(1, 2)), new Progress(at => { throw new InvalidDataException(); }))));
        Throws<InvalidDataException>(() => Opened().Save(new Failing()));
        Must(Answer(Opened()) == 21.5f);
    }

    private static void ProgressAndCancellation()
    {
        var told = new List<double>();
        Opened(importer => importer.Read(new MemoryStream(Saved(1, 2)), new Progress(told.Add)));
        Must(told.Count > 0 && told.All(at => at >= 0 && at <= 1));
        var source = new CancellationTokenSource();
        var stop = new Progress(at => source.Cancel());
        var stopped = Throws<OperationCanceledException>(() => Opened(i => i.Read(new MemoryStream(Saved(1, 2)), stop, source.Token)));
        Must(stopped.CancellationToken == source.Token);
        Throws<OperationCanceledException>(() => Opened().NewSession().Run(source.Token));
    }

    private static void SetsAreTrees()
    {
        var set = new ParameterSet();
        ParameterNode branch = set.Root.AddBranch("L1");
        ParameterNode leaf = branch.Add<double>("W", new double[] { 1, 2, 3, 4, 5, 6 }, 2, 3);
        branch.Add("n", 7L);
        branch.Add("x", 0.5);
        branch.Add("s", "text");
        Must(leaf.Path == "/L1/W" && leaf.Key == "W" && leaf.Shape.SequenceEqual(new long[] { 2, 3 }) && leaf.ElementType == ElementType.F64);
        Must(set["/L1/n"].ToInt64() == 7 && set["/L1/x"].ToDouble() == 0.5 && set["/L1/s"].ToText() == "text");
        Must(branch.Children.Select(child => child.Key).SequenceEqual(new[] { "W", "n", "x", "s" }) && branch.Kind == NodeKind.Named);
        set["/L1/s"].Remove();
        set["/L1/n"].Remove();
        set["/L1/x"].Remove();
        using (var layout = new FlatLayout(set))
        {
            var flat = new double[layout.Count];
            layout.Gather<double>(set, flat);
            Must(flat.SequenceEqual(new double[] { 1, 2, 3, 4, 5, 6 }) && layout.Segments[0].Path == "/L1/W");
            ParameterSet doubled = layout.Unflatten<double>(flat.Select(number => 2 * number).ToArray());
            Must(doubled["/L1/W"].Numbers<double>().ToArray()[5] == 12 && set.DifferenceTo(doubled) != null && set.DifferenceTo(set.Copy()) == null);
            layout.Scatter<double>(flat, doubled);
            Must(set.DifferenceTo(doubled) == null);
            long count;
            Must(layout.Range("/L1/W", out count) == 0 && count == 6);
        }
        Must(set.Convert(ElementType.F32).ElementType == ElementType.F32);
        NumbersOfAnElementType();
        leaf.Set<double>(new double[] { 9 }, 1);
        Must(set["/L1/W"].Numbers<double>().ToArray()[0] == 9);
        using (var other = new ParameterSet())
        {
            other.Root.AddCopy("copy", branch);
            Must(other["/copy/W"].Numbers<double>().ToArray()[0] == 9);
            other["/copy"].Replace(leaf);
            Must(other["/copy"].Shape.Count == 1);
        }
        using (ParameterSet symmetric = ParameterSet.Project<double>("SymmetricMatrix", new double[] { 1, 2, 4, 3 }, 2, 2))
        {
            long columns, rows;
            Must(symmetric.Root.ToDense<double>(out columns, out rows).SequenceEqual(new double[] { 1, 3, 3, 3 }) && columns == 2 && rows == 2);
        }
    }

    private static void NumbersOfAnElementType()
    {
        Must(Single(new[] { (1L << 60) + 1 }).ToInt64() == (1L << 60) + 1 && Single(new[] { 7L }).ToDouble() == 7);
        Must(Single(new[] { 1UL << 62 }).ToInt64() == 1L << 62 && Single(new[] { 1UL << 63 }).ToDouble() == Math.Pow(2, 63));
        Throws<InvalidOperationException>(() => Single(new[] { 1UL << 63 }).ToInt64());
        Must(Single(new[] { -3.0 }).ToInt64() == -3 && Single(new[] { true }).ToInt64() == 1 && Single(new sbyte[] { -3 }).ToInt64() == -3);
        Throws<InvalidOperationException>(() => Single(new[] { 0.5 }).ToInt64());
        Throws<InvalidOperationException>(() => Single(new[] { double.NaN }).ToInt64());
        Must(Single(new[] { 0.5 }, ElementType.F16).ToDouble() == 0.5 && Single(new[] { 3.0 }, ElementType.F16).ToInt64() == 3);
    }

    /// <summary>A number as Julia keeps it in a file, where it is no array.</summary>
    private static ParameterNode Single<T>(T[] number, ElementType type = ElementType.None) where T : struct
    {
        var set = new ParameterSet();
        set.Root.Add<T>("x", number, new long[0]);
        var stream = new MemoryStream();
        (type == ElementType.None ? set : set.Convert(type)).Save(stream, new SaveOptions { Format = "julia" });
        stream.Position = 0;
        ParameterNode read = new Importer().ReadParameters(stream)["/x"];
        Must(read.Kind == NodeKind.Scalar);
        return read;
    }

    private static void JuliaFilesGoInAndOut()
    {
        var set = new ParameterSet();
        set.SetRootKind(NodeKind.Parameters);
        set.Root.AddBranch("z").Add<float>("W", new float[] { 1, 2 }, 1, 2);
        set.Root.AddBranch("a").Add<float>("W", new float[] { 3, 4 }, 1, 2);
        var stream = new MemoryStream();
        set.Save(stream, new SaveOptions { Format = "julia" });
        stream.Position = 0;
        ParameterSet again = new Importer().ReadParameters(stream);
        Must(set.DifferenceTo(again) == null && again.Root.Children[0].Key == "z");
    }

    private static void TreesOfPython()
    {
        var set = new ParameterSet();
        set.SetRootKind(NodeKind.List);
        ParameterNode linear = set.Root.AddObject("", "dclass[m.Linear]");
        linear.Add<float>("weight", new float[] { 1, 2 }, 1, 2);
        linear.Add<float>("bias", new float[] { 0.5f }, 1);
        linear.Add("extra", 7L);
        set.Root.AddObject("", "own[v2]").Add("n", 3L);
        var stream = new MemoryStream();
        set.Save(stream, new SaveOptions { Format = "jaxon" });
        Func<PytreeOptions, ModelFile> open = options =>
        {
            stream.Position = 0;
            using (Source source = Source.FromMemory(stream.ToArray()))
            {
                return new Importer { Pytree = options }.Open(source);
            }
        };
        Must(Throws<SlotLoadException>(() => open(null)).Message.Contains("own[v2]"));
        using (ModelFile file = open(new PytreeOptions
        {
            Unmarshaler = (value, made) =>
            {
                if (value.Root.TypeName != "own[v2]")
                {
                    return Unmarshaled.Kept;
                }
                made.Root.Add("", 2 * value["/n"].ToInt64());
                return Unmarshaled.Replaced;
            },
        }))
        {
            GC.Collect();
            ParameterSet read = file.ReadParameters();
            Must(read["/1"].ToInt64() == 6 && read["/0"].TypeName == "dclass[m.Linear]" && read["/0"].Target == null && read["/0"].KeyNode == null);
        }
        var schema = new ParameterSet();
        ParameterNode known = schema.Root.AddObject("Linear", "m.Linear");
        known.AddNotLoaded("weight");
        known.AddNotLoaded("bias");
        known.Add("scale", 0.25);
        var strict = new PytreeOptions { Schema = schema, Unmarshaler = (value, made) => Unmarshaled.Kept };
        Must(Throws<SlotLoadException>(() => open(strict)).Faults.Count == 2);
        strict.AllowMissingFields = strict.AllowUnknownFields = true;
        using (ModelFile file = open(strict))
        {
            Must(file.Warnings.Count == 2 && file.ReadParameters()["/0/scale"].ToDouble() == 0.25);
        }
        var asked = new List<string>();
        using (ModelFile file = open(new PytreeOptions { Filter = path => { asked.Add(path); return path != "/1" && path != "/0/bias"; } }))
        {
            ParameterSet read = file.ReadParameters();
            Must(asked[0] == "" && asked.Contains("/0/bias") && !asked.Contains("/1/n"));
            Must(read["/1"].Kind == NodeKind.NotLoaded && read["/0/weight"].Kind == NodeKind.Tensor);
        }
        using (ModelFile file = open(new PytreeOptions { Prefixes = new[] { "/0/weight" } }))
        {
            Must(file.Entries.Count == 1 && file.Entries[0].Path == "0.weight");
        }
        Throws<DivideByZeroException>(() => open(new PytreeOptions { Filter = path => { throw new DivideByZeroException(); } }));
        // What it threw comes out even where what it left out is a fault of its own.
        Throws<DivideByZeroException>(() => open(new PytreeOptions
        {
            Filter = path => { throw new DivideByZeroException(); },
            Slots = new Dictionary<string, string> { { "0.weight", "/0/weight" } },
        }));
        Must(Enumerable.Range(0, 20).Select(at => Refused(open)).ToArray().Count(Forgotten) > 0);
        var thrower = new PytreeOptions { Unmarshaler = (value, made) => { throw new DivideByZeroException(); } };
        using (ModelFile file = open(thrower))
        {
            Throws<DivideByZeroException>(() => file.ReadParameters());
        }
        var words = Description.Parse("{\"style\":\"torch\",\"layers\":[{\"id\":\"0\",\"kind\":\"Linear\",\"args\":{\"in_features\":2,\"out_features\":1}}]}");
        var slots = new Dictionary<string, string> { { "0.weight", "/0/weight" }, { "0.bias", "/0/bias" } };
        var importer = new Importer { Network = words, Pytree = new PytreeOptions { Slots = slots, Unmarshaler = strict.Unmarshaler } };
        stream.Position = 0;
        using (Network network = importer.Read(stream))
        {
            Must(Answer(network) == 21.5f);
        }
    }

    /// <summary>A filter of options that can not be handed over.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Refused(Func<PytreeOptions, ModelFile> open)
    {
        var options = new PytreeOptions { Filter = path => true, Prefixes = new[] { "\ud800" } };
        Throws<ArgumentException>(() => open(options));
        return new WeakReference(options);
    }

    private static bool Forgotten(WeakReference options)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return !options.IsAlive;
    }

    private static void RunsAllocateNothing()
    {
        using (Network network = Opened())
        using (Session session = network.NewSession())
        {
            var x = new float[] { 1, 10 };
            var y = new float[1];
            session.Run(x, y);
            Allocated();
            long before = Allocated();
            for (int i = 0; i < 100000; i++)
            {
                session.Run(x, y);
            }
            long more = Allocated() - before;
            if (more != 0)
            {
                throw new Exception(more + " bytes were allocated");
            }
            Must(y[0] == 21.5f && session.Statistics.Allocations == 0 && session.Statistics.Runs == 100001);
            session.Input<float>().Fill(1);
            session.Output<float>();
            session.Run();
            before = Allocated();
            for (int i = 0; i < 100000; i++)
            {
                session.Run();
            }
            more = Allocated() - before;
            if (more != 0)
            {
                throw new Exception(more + " bytes were allocated by bound runs");
            }
        }
    }

    /// <summary>Bytes that this thread has had; where the runtime does not count them, those in use.</summary>
    private static readonly Func<long> Allocated = Counter();

    private static Func<long> Counter()
    {
        var counter = typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread");
        return counter == null ? () => GC.GetTotalMemory(false) : (Func<long>)Delegate.CreateDelegate(typeof(Func<long>), counter);
    }

    private static void SessionsOwnTheirPorts()
    {
        using (Network network = Opened())
        using (Session session = network.NewSession(new SessionOptions { MaxBatch = 3 }))
        {
            var y = new float[3];
            session.Run(new float[] { 1, 10, 0, 0, 2, 2 }, y);
            Must(y.SequenceEqual(new[] { 21.5f, 0.5f, 6.5f }));
            Span<float> input = session.Input<float>();
            input.Fill(1);
            session.Output<float>();
            session.Run();
            Must(session.Output<float>().ToArray()[2] == 3.5f);
            Must(session.InstructionSet.Length > 0 && Session.BytesOf(network) > 0);
            using (ParameterSet numbers = network.Parameters)
            {
                numbers["/0.bias"].Set<float>(new float[] { 100 }, 1);
                session.Swap(network.With(numbers));
            }
            session.Run();
            Must(session.Output<float>().ToArray()[0] == 103);
            Must(network.Inputs[0].Shape.Count == 2 && network.Outputs.Count == 1 && network.Slots[0].Path == "0.weight");
            Must(network.LayerNumber("0") == 0 && network.LayerPort(0).ElementType == ElementType.F32 && network.PlanText().Contains("plan"));
            Must(network.Description.ToString().Contains("dense"));
        }
    }

    private static void EightThreadsShareOneNetwork()
    {
        using (Network network = Opened())
        {
            var bits = new float[8];
            Thread[] threads = Enumerable.Range(0, 8).Select(at => new Thread(() =>
            {
                using (Session session = network.NewSession())
                {
                    var y = new float[1];
                    for (int i = 0; i < 1000; i++)
                    {
                        session.Run(new[] { 0.1f, 0.7f }, y);
                    }
                    bits[at] = y[0];
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
            Must(bits.All(one => one.Equals(bits[0]) && one != 0));
        }
    }

    private static void FinalizersFreeInAnyOrder()
    {
        for (int i = 0; i < 200; i++)
        {
            Network network = Opened();
            network.NewSession().Run(new float[2], new float[1]);
            if (i % 20 == 0)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
        Must(Answer(Opened()) == 21.5f);
    }

    private static void LayoutsAreTheLibrarys(string path)
    {
        var lines = new List<string>();
        Type native = typeof(PontilLibrary).Assembly.GetType("Pontil.Native");
        foreach (Type one in native.GetNestedTypes(System.Reflection.BindingFlags.NonPublic).Where(t => t.IsValueType))
        {
            lines.Add(one.Name + " " + Marshal.SizeOf(one));
            foreach (var field in one.GetFields(System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Instance))
            {
                lines.Add(one.Name + "." + field.Name + " " + Marshal.OffsetOf(one, field.Name));
            }
        }
        lines.Sort(string.CompareOrdinal);
        File.WriteAllText(path, string.Join("\n", lines) + "\n");
    }

    private static int Main(string[] arguments)
    {
        if (arguments.Length == 0)
        {
            return Missing();
        }
        PontilLibrary.Path = arguments[0];
        Test("it is found where it was said", () => Must(PontilLibrary.BuildInfo.Contains("\"abi\"") && PontilLibrary.PlacesTried.Count == 1));
        Test("its path is set before", () => Throws<InvalidOperationException>(() => PontilLibrary.Path = "elsewhere"));
        Test("a wrong version is said", WrongVersion);
        Test("words are told", () => Must(PontilLibrary.Words.Count > 20 && PontilLibrary.Words["dense"].StartsWith("{")));
        Test("every kind of source", EveryKindOfSource);
        Test("faults are equal from everywhere", FaultsAreEqualFromEverywhere);
        Test("mistakes are argument exceptions", MistakesAreArgumentExceptions);
        Test("disposed handles are said", DisposedHandlesAreSaid);
        Test("data sets feed networks of Mocha", DataSetsFeedNetworksOfMocha);
        Test("what a callback throws comes out", WhatACallbackThrowsComesOut);
        Test("progress and cancellation", ProgressAndCancellation);
        Test("sets are trees", SetsAreTrees);
        Test("files of Julia go in and out", JuliaFilesGoInAndOut);
        Test("trees of Python go in and out", TreesOfPython);
        Test("100,000 runs allocate nothing", RunsAllocateNothing);
        Test("sessions own their ports", SessionsOwnTheirPorts);
        Test("eight threads share one network", EightThreadsShareOneNetwork);
        Test("finalizers free in any order", FinalizersFreeInAnyOrder);
        Test("importers of DeepSharp", () => DeepSharpTests.Run(Saved(1, 2), Saved(1, 3)));
        Test("data sets of streams", () => DatasetTests.Run(thing => Must(thing)));
        Test("streams", () => StreamTests.Run(thing => Must(thing)));
        Test("who comes second is said", () => MisuseTests.Seconds(Opened, thing => Must(thing)));
        Test("misuse is said", () => MisuseTests.Run(Opened, thing => Must(thing)));
        LayoutsAreTheLibrarys(arguments[1]);
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }

    private static void WrongVersion()
    {
        var check = typeof(PontilLibrary).GetMethod("Check", System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static);
        foreach (uint[] asked in new[] { new[] { 99u, 0u }, new[] { 1u, 0x7fffffffu } })
        {
            var wrapped = Throws<System.Reflection.TargetInvocationException>(() => check.Invoke(null, new object[] { asked[0], asked[1] }));
            var refused = (PontilException)wrapped.InnerException;
            Must(refused.Code == Status.Abi && refused.Message.Contains("interface 1") && refused.Message.Contains("version 0.1.0"));
        }
    }

    /// <summary>Without a library: every place that was tried is said.</summary>
    private static int Missing()
    {
        PontilLibrary.Path = "/nowhere/at/all.so";
        Must(Throws<DllNotFoundException>(() => new ParameterSet()).Message.Contains("/nowhere/at/all.so"));
        // What is there and is no library, or is another one.
        PontilLibrary.Path = System.Reflection.Assembly.GetExecutingAssembly().Location;
        Must(Throws<DllNotFoundException>(() => new ParameterSet()).Message.Contains("Tests.exe"));
        string other = new[] { "/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6", "/lib64/libm.so.6" }.FirstOrDefault(File.Exists);
        for (int i = 0; other != null && i < 2; i++)
        {
            PontilLibrary.Path = other;
            Must(Throws<DllNotFoundException>(() => new ParameterSet()).Message.Contains("not Pontil's"));
        }
        PontilLibrary.Path = null;
        var nowhere = Throws<DllNotFoundException>(() => new ParameterSet());
        Must(nowhere.Message.Contains("runtimes") && nowhere.Message.Contains("PontilLibrary.Path") && PontilLibrary.PlacesTried.Count >= 2);
        Console.WriteLine("1 passed, 0 failed");
        return 0;
    }

    private sealed class Progress : IProgress<double>
    {
        private readonly Action<double> told;

        internal Progress(Action<double> told)
        {
            this.told = told;
        }

        public void Report(double value)
        {
            told(value);
        }
    }

    private sealed class ForwardOnly : MemoryStream
    {
        internal ForwardOnly(byte[] bytes) : base(bytes)
        {
        }

        public override bool CanSeek
        {
            get { return false; }
        }
    }

    private sealed class Failing : MemoryStream
    {
        internal readonly InvalidDataException Thrown = new InvalidDataException("mine");

        internal Failing() : base(new byte[100])
        {
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            throw Thrown;
        }

        public override void Write(byte[] buffer, int offset, int count)
        {
            throw Thrown;
        }
    }
}
