// Importers as DeepSharp's are shaped: a stream in, a network and its loss out, all faults in one exception. The interface is a copy,
// so nothing of DeepSharp is needed; a program that has DeepSharp derives from both in one line.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Native = global::Pontil;

namespace DeepSharp.Import.Pontil
{
    /// <summary>Reads a saved network.</summary>
    public interface IImporter
    {
        /// <summary>Reads a stream, which is left open and may be forward-only.</summary>
        SavedNetwork Read(Stream stream);
    }

    /// <summary>A network with the loss it was trained with.</summary>
    public sealed class SavedNetwork
    {
        internal SavedNetwork(Native.Network network, string loss)
        {
            Network = network;
            Loss = loss;
        }

        /// <summary>The network.</summary>
        public Native.Network Network { get; private set; }

        /// <summary>The loss; empty if nothing says it.</summary>
        public string Loss { get; private set; }

        /// <summary>What it was trained on: of an import nothing is known.</summary>
        public object TrainedOn
        {
            get { return null; }
        }
    }

    /// <summary>What is wrong with one slot; texts are the file's own.</summary>
    public sealed class SlotFault
    {
        internal SlotFault(Native.Fault fault)
        {
            Source = fault.Place.Length == 0 ? null : fault.Place;
            Slot = fault.Path;
            Message = fault.Message;
        }

        /// <summary>Where the file holds it; null of a slot that is missing.</summary>
        public string Source { get; private set; }

        /// <summary>Path of the slot.</summary>
        public string Slot { get; private set; }

        /// <summary>One line for people.</summary>
        public string Message { get; private set; }
    }

    /// <summary>Slots that can not be filled: every fault at once. Nothing was changed.</summary>
    public sealed class SlotLoadException : FormatException
    {
        internal SlotLoadException(Native.SlotLoadException refused) : base(refused.Message, refused)
        {
            Faults = refused.Faults.Select(fault => new SlotFault(fault)).ToArray();
        }

        /// <summary>All that is wrong.</summary>
        public IReadOnlyList<SlotFault> Faults { get; private set; }
    }

    /// <summary>Reads every format that Pontil reads. What else is wrong with a file is a plain FormatException, a mistake of the
    /// caller an ArgumentException.</summary>
    public sealed class PontilImporter : IImporter
    {
        private const int FirstOfSlots = (int)Native.Status.SlotMissing, LastOfSlots = (int)Native.Status.SlotPrefix;

        private readonly Native.Importer importer;

        /// <summary>An importer that is told the layers, for formats of numbers only, and the loss.</summary>
        public PontilImporter(Native.Description network = null, string loss = null) : this(new Native.Importer { Network = network, Loss = loss })
        {
        }

        /// <summary>An importer that is told more.</summary>
        public PontilImporter(Native.Importer importer)
        {
            this.importer = importer ?? throw new ArgumentNullException("importer");
        }

        /// <inheritdoc/>
        public SavedNetwork Read(Stream stream)
        {
            try
            {
                using (Native.Source source = Native.Source.FromStream(stream, null, importer.Context))
                using (Native.ModelFile file = importer.Open(source))
                {
                    return new SavedNetwork(file.ReadNetwork(), file.Loss);
                }
            }
            catch (Native.SlotLoadException refused)
            {
                if (refused.Faults.Any(fault => (int)fault.Code >= FirstOfSlots && (int)fault.Code <= LastOfSlots))
                {
                    throw new SlotLoadException(refused);
                }
                throw new FormatException(refused.Message, refused);
            }
        }
    }
}
