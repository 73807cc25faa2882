/** When (ms) to wake for whatever comes first, never before `floor`; null when nothing is waited for. */
export function nextAlarm(times: (number | null)[], floor: number): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(floor, Math.min(...known));
}
