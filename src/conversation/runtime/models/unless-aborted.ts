/**
 * What pieces of work give, or the signal's reason as soon as it is aborted, whether or not the work heeds it; one
 * listener for all of them.
 */
export function guardedBy(signal: AbortSignal): <T>(work: Promise<T>) => Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  // Nobody may be waiting when it is aborted.
  aborted.catch(() => {});
  return (work) => Promise.race([work, aborted]);
}
