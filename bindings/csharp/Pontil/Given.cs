// What a caller hands over, looked at before the library sees it.

using System;

namespace Pontil
{
    internal static class Given
    {
        /// <summary>The thing itself; an <see cref="ArgumentNullException"/> if it is not there.</summary>
        internal static T It<T>(T thing, string name) where T : class
        {
            if (thing == null)
            {
                throw new ArgumentNullException(name);
            }
            return thing;
        }

        /// <summary>A number that is not below nought.</summary>
        internal static ulong Count(long number, string name)
        {
            if (number < 0)
            {
                throw new ArgumentOutOfRangeException(name, number, "It is nought for the default, or more.");
            }
            return (ulong)number;
        }
    }
}
