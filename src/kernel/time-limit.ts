/** Runs a function after `ms`; returns a function that cancels it. */
export type After = (ms: number, run: () => void) => () => void;

export const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * Waits at most `ms` for the work. Work that takes longer continues without an observer, so its effects are unknown.
 * @throws what the work throws, or an Error on timeout
 */
export async function withinTime<T>(work: Promise<T>, ms: number, after: After = afterTimeout): Promise<T> {
  const late = Promise.withResolvers<never>();
  const callOff = after(ms, () => late.reject(new Error(`no answer within ${ms} ms`)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    callOff();
  }
}
