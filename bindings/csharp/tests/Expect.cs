// What tests expect of a call.

using System;

internal static class Expect
{
    /// <summary>What a call throws, which must be of this type.</summary>
    internal static T Throws<T>(Action call) where T : Exception
    {
        Exception came = null;
        try
        {
            call();
        }
        catch (T thrown)
        {
            came = thrown;
        }
        return (T)came ?? throw new Exception("no " + typeof(T).Name + " was thrown");
    }
}
