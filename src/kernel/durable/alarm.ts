/** The earliest of some times, null when there is none. */
export function earliest(times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** When (ms) to wake for whatever comes first, never before `floor`; null when nothing is waited for. */
export function nextAlarm(times: (number | null)[], floor: number): number | null {
  const first = earliest(times);
  return first === null ? null : Math.max(floor, first);
}

/** Has the object's alarm go off at `at` (ms) at the latest; one that is set for earlier stays. Null sets none. */
export async function armNoLaterThan(storage: DurableObjectStorage, at: number | null): Promise<void> {
  if (at === null) return;
  const armed = await storage.getAlarm();
  if (armed === null || armed > at) await storage.setAlarm(at);
}
