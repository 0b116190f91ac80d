// The adapter for DeepSharp: its shape, its exceptions.

using System;
using System.IO;
using DeepSharp.Import.Pontil;

internal static class DeepSharpTests
{
    internal static void Run(byte[] good, byte[] bad)
    {
        using (var words = Pontil.Description.Parse("{\"kind\":\"stack\",\"layers\":[{\"kind\":\"dense\",\"inputs\":2,\"outputs\":1}]}"))
        {
            IImporter importer = new PontilImporter(words);
            var stream = new MemoryStream(good);
            SavedNetwork saved = importer.Read(stream);
            Demand(stream.CanRead && saved.TrainedOn == null && saved.Loss.Length == 0 && saved.Network.Slots.Count == 2);
            try
            {
                importer.Read(new MemoryStream(bad));
                throw new Exception("it was read");
            }
            catch (SlotLoadException refused)
            {
                Demand(refused.Faults.Count == 1 && refused.Faults[0].Slot == "0.weight" && refused.Faults[0].Message.Length > 0);
            }
            try
            {
                importer.Read(new MemoryStream(new byte[] { 1, 2, 3 }));
                throw new Exception("it was read");
            }
            catch (FormatException refused)
            {
                Demand(refused.GetType() == typeof(FormatException));
            }
        }
    }

    private static void Demand(bool thing)
    {
        if (!thing)
        {
            throw new Exception("the importer is not as DeepSharp's");
        }
    }
}
