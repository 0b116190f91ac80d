// The corpus through C#: `Route.exe LIST OUT`, as tests/routes tells.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using Pontil;

internal static class Route
{
    private static string Sum(IEnumerable<byte[]> pieces)
    {
        ulong total = 0xcbf29ce484222325;
        foreach (byte[] piece in pieces)
        {
            foreach (byte one in piece)
            {
                total = unchecked((total ^ one) * 0x100000001b3);
            }
        }
        return total.ToString("x16");
    }

    private static long[] Lengths(string text)
    {
        return text.Length == 0 ? new long[0] : text.Split(',').Select(long.Parse).ToArray();
    }

    /// <summary>Text as the file had it: a lone surrogate is three bytes.</summary>
    private static byte[] Wtf8(string text)
    {
        var bytes = new List<byte>();
        for (int at = 0; at < text.Length; at++)
        {
            char one = text[at];
            if (char.IsHighSurrogate(one) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1]))
            {
                bytes.AddRange(Encoding.UTF8.GetBytes(text.Substring(at++, 2)));
            }
            else if (char.IsSurrogate(one))
            {
                bytes.AddRange(new[] { (byte)(0xE0 | (one >> 12)), (byte)(0x80 | ((one >> 6) & 63)), (byte)(0x80 | (one & 63)) });
            }
            else
            {
                bytes.AddRange(Encoding.UTF8.GetBytes(one.ToString()));
            }
        }
        return bytes.ToArray();
    }

    private static byte[] Escaped(string text)
    {
        return Wtf8(text).SelectMany(one => one < 0x20 || one == '\\' ? Encoding.ASCII.GetBytes("\\x" + one.ToString("x2")) : new[] { one }).ToArray();
    }

    private static Source Opened(string path, string way)
    {
        return way == "path" ? Source.FromFile(path)
            : way == "memory" ? Source.FromMemory(File.ReadAllBytes(path))
            : Source.FromStream(new MemoryStream(File.ReadAllBytes(path)));
    }

    private static string Listing(ModelFile file)
    {
        var pieces = new List<byte[]>();
        IReadOnlyList<FileEntry> entries = file.Entries;
        for (int at = 0; at < entries.Count; at++)
        {
            FileEntry entry = entries[at];
            var numbers = new byte[entry.Bytes];
            file.Read(at, numbers);
            pieces.Add(Wtf8(entry.Path));
            pieces.Add(Encoding.ASCII.GetBytes("\n" + (int)entry.ElementType + "\n" + string.Join(",", entry.Shape) + "\n"));
            pieces.Add(numbers);
        }
        return "listing\t" + entries.Count + "\t" + Sum(pieces);
    }

    private static string Answered(ModelFile file, string ins, string outs, double most)
    {
        using (Network network = file.ReadNetwork())
        {
            if (ins.Length == 0)
            {
                return "network";
            }
            string[][] inputs = ins.Split(';').Select(one => one.Split(':')).ToArray();
            string[][] outputs = outs.Split(';').Select(one => one.Split(':')).ToArray();
            int batch = (int)Lengths(inputs[0][2])[0];
            using (Session session = network.NewSession(new SessionOptions { MaxBatch = batch }))
            {
                var pieces = new List<byte[]>();
                var answers = outputs.Select(one => new float[Lengths(one[1]).Aggregate(1L, (a, b) => a * b)]).ToArray();
                if (inputs.Length == 1 && outputs.Length == 1 && network.Inputs[0].ElementType == ElementType.F32 && inputs[0][1] == "1"
                    && network.Inputs[0].Shape.Skip(1).All(length => length >= 0) && network.Outputs[0].Shape.Skip(1).All(length => length >= 0))
                {
                    session.Run(MemoryMarshal.Cast<byte, float>(File.ReadAllBytes(inputs[0][0])), answers[0]);
                }
                else
                {
                    Pinned(session, inputs, outputs, answers);
                }
                bool right = true;
                for (int at = 0; at < answers.Length; at++)
                {
                    pieces.Add(MemoryMarshal.AsBytes(answers[at].AsSpan()).ToArray());
                    byte[] expected = File.ReadAllBytes(outputs[at][0]);
                    for (int place = 0; place < answers[at].Length; place++)
                    {
                        double should = BitConverter.ToDouble(expected, 8 * place), its = answers[at][place];
                        right &= its == should || double.IsNaN(its) && double.IsNaN(should) || Math.Abs(its - should) <= most;
                    }
                }
                return "answers\t" + Sum(pieces) + "\t" + (right ? "right" : "wrong");
            }
        }
    }

    /// <summary>Several ports, or other numbers than singles: bound memory.</summary>
    private static void Pinned(Session session, string[][] inputs, string[][] outputs, float[][] answers)
    {
        var handles = new List<GCHandle>();
        for (int at = 0; at < inputs.Length; at++)
        {
            GCHandle pinned = GCHandle.Alloc(File.ReadAllBytes(inputs[at][0]), GCHandleType.Pinned);
            handles.Add(pinned);
            session.Bind(false, at, pinned.AddrOfPinnedObject(), (ElementType)int.Parse(inputs[at][1]), Lengths(inputs[at][2]));
        }
        for (int at = 0; at < outputs.Length; at++)
        {
            GCHandle pinned = GCHandle.Alloc(answers[at], GCHandleType.Pinned);
            handles.Add(pinned);
            session.Bind(true, at, pinned.AddrOfPinnedObject(), ElementType.F32, Lengths(outputs[at][1]));
        }
        session.Run();
        handles.ForEach(handle => handle.Free());
    }

    /// <summary>Kind, key, name of the type and how many children.</summary>
    private static void Head(ParameterNode node, List<byte[]> pieces)
    {
        pieces.Add(Encoding.ASCII.GetBytes((int)node.Kind + "\n"));
        pieces.Add(Wtf8(node.Key + "\n" + node.TypeName + "\n"));
        pieces.Add(Encoding.ASCII.GetBytes(node.Children.Count + "\n"));
    }

    private static void Walked(ParameterNode node, List<byte[]> pieces)
    {
        Head(node, pieces);
        switch (node.Kind)
        {
            case NodeKind.Int:
            case NodeKind.Bool:
                pieces.Add(Encoding.ASCII.GetBytes(node.ToInt64().ToString(CultureInfo.InvariantCulture)));
                break;
            case NodeKind.Real:
                pieces.Add(BitConverter.GetBytes(node.ToDouble()));
                break;
            case NodeKind.Text:
            case NodeKind.BigInt:
                pieces.Add(Wtf8(node.ToText()));
                break;
            case NodeKind.Reference:
                Head(node.Target.Value, pieces);
                break;
        }
        if (node.KeyNode.HasValue)
        {
            Walked(node.KeyNode.Value, pieces);
        }
        foreach (ParameterNode child in node.Children)
        {
            Walked(child, pieces);
        }
    }

    private static string Tree(ParameterSet set)
    {
        var pieces = new List<byte[]>();
        Walked(set.Root, pieces);
        return "tree\t" + set.Count + "\t" + Sum(pieces);
    }

    private static string Flattened(ParameterSet set)
    {
        using (var layout = new FlatLayout(set))
        {
            ElementType type = set.ElementType == ElementType.None ? ElementType.F64 : set.ElementType;
            return "set\t" + layout.Count + "\t" + (int)type + "\t" + Sum(new[] { Numbers(layout, set, type) });
        }
    }

    private static byte[] Numbers(FlatLayout layout, ParameterSet set, ElementType type)
    {
        int size = type == ElementType.C128 ? 16
            : type == ElementType.F64 || type == ElementType.I64 || type == ElementType.U64 || type == ElementType.C64 ? 8
            : type == ElementType.F32 || type == ElementType.I32 || type == ElementType.U32 ? 4
            : type == ElementType.F16 || type == ElementType.I16 || type == ElementType.U16 ? 2 : 1;
        var numbers = new byte[size * layout.Count];
        layout.Gather(set, numbers, type);
        return numbers;
    }

    private static void Say(Stream to, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        to.Write(bytes, 0, bytes.Length);
    }

    private static void Refused(Stream to, string head, Status code, IReadOnlyList<Fault> faults)
    {
        Say(to, head + "refused\t" + (int)code + "\n");
        foreach (Fault fault in faults)
        {
            Say(to, head + "fault\t" + (int)fault.Code + "\t" + fault.Name + "\t" + (fault.IsError ? "error" : "warning"));
            foreach (string text in new[] { fault.Path, fault.Place, null, fault.Message, fault.ArgumentsJson })
            {
                Say(to, "\t" + (text == null ? fault.Offset.HasValue ? fault.Offset.ToString() : "-" : ""));
                byte[] bytes = Escaped(text ?? "");
                to.Write(bytes, 0, bytes.Length);
            }
            Say(to, "\n");
        }
    }

    private static void Run(string[] field, string way, Stream to)
    {
        string head = field[0] + "\t" + way + "\t";
        try
        {
            var importer = new Importer
            {
                Layout = AxisOrder.AsFile,
                StripPrefix = field[3],
                Key = field[4],
                FoldWeightNorm = field[5] == "1",
                Example = Lengths(field[6]),
                Network = field[2].Length == 0 ? null : Description.Parse(File.ReadAllText(field[2])),
            };
            using (Source source = Opened(field[1], way))
            using (ModelFile file = importer.Open(source))
            {
                if (field[7] != "set")
                {
                    Say(to, head + Listing(file) + "\n");
                }
                if (field[7] == "network")
                {
                    Say(to, head + Answered(file, field[8], field[9], double.Parse(field[10], CultureInfo.InvariantCulture)) + "\n");
                }
                if (field[7] == "tree" || field[7] == "set")
                {
                    using (ParameterSet set = file.ReadParameters())
                    {
                        Say(to, head + Tree(set) + "\n");
                        if (field[7] == "set")
                        {
                            Say(to, head + Flattened(set) + "\n");
                        }
                    }
                }
            }
        }
        catch (SlotLoadException refused)
        {
            Refused(to, head, refused.Code, refused.Faults);
        }
        catch (PontilArgumentException refused)
        {
            Refused(to, head, refused.Code, refused.Faults);
        }
        catch (PontilException refused)
        {
            Refused(to, head, refused.Code, refused.Faults);
        }
    }

    private static int Main(string[] arguments)
    {
        using (Stream to = new BufferedStream(File.Create(arguments[1])))
        {
            foreach (string line in File.ReadLines(arguments[0]))
            {
                foreach (string way in new[] { "path", "memory", "stream" })
                {
                    Run(line.Split('\t'), way, to);
                }
            }
        }
        return 0;
    }
}
