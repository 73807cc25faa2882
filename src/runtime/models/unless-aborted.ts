/** What the work gives, or the signal's reason as soon as it is aborted, whether or not the work heeds it. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    const heard = () => signal.removeEventListener("abort", abort);
    work.then(resolve, reject).then(heard, heard);
  });
}
