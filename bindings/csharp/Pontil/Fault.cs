// What can be wrong with a file, a network or a call.

namespace Pontil
{
    /// <summary>One fault.</summary>
    public sealed class Fault
    {
        internal unsafe Fault(Native.pon_fault raw)
        {
            Code = (Status)raw.code;
            IsError = raw.severity == Native.PON_SEVERITY_ERROR;
            Name = Text.Of(raw.name);
            Message = Text.Of(raw.message);
            Path = Text.Of(raw.path);
            Place = Text.Of(raw.place);
            ArgumentsJson = Text.Of(raw.arguments_json);
            Offset = raw.offset == Native.PON_NO_OFFSET ? (long?)null : (long)raw.offset;
        }

        /// <summary>What kind of fault.</summary>
        public Status Code { get; private set; }

        /// <summary>Whether it refused the call; a warning did not.</summary>
        public bool IsError { get; private set; }

        /// <summary>Stable name of the code, e.g. <c>slot.shape</c>.</summary>
        public string Name { get; private set; }

        /// <summary>One line for people.</summary>
        public string Message { get; private set; }

        /// <summary>Of the slot, node or layer; empty if none.</summary>
        public string Path { get; private set; }

        /// <summary>Where the file holds it, in the file's words; empty if none.</summary>
        public string Place { get; private set; }

        /// <summary>What the message is made of: a JSON object.</summary>
        public string ArgumentsJson { get; private set; }

        /// <summary>Byte in the source.</summary>
        public long? Offset { get; private set; }

        /// <summary>The message.</summary>
        public override string ToString()
        {
            return Message;
        }
    }
}
