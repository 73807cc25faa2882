/**
 * Returns a function that settles with the given work, or rejects with the signal's reason as soon as it is aborted.
 * All work shares one listener.
 */
export function guardedBy(signal: AbortSignal): <T>(work: Promise<T>) => Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  // Prevents an unhandled rejection if no work is pending.
  aborted.catch(() => {});
  return (work) => Promise.race([work, aborted]);
}
