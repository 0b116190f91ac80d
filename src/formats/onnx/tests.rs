//! Files as a writer of protobuf would write them, and as none would.
