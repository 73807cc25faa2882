/**
 * Returns the events in order. A runtime numbers its events from 1. Events that the service logged between them have
 * negative numbers and are sorted in by their time.
 */
export function inOrder<E extends { seq: number; at: string }>(events: E[]): E[] {
  const numbered = events.filter(({ seq }) => seq > 0).toSorted((a, b) => a.seq - b.seq);
  const beside = events.filter(({ seq }) => seq < 0).toSorted((a, b) => b.seq - a.seq);
  if (beside.length === 0) return numbered;
  beside.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  // Goes backwards: each logged event belongs after the last numbered event that is not later.
  const reversed: E[] = [];
  for (let at = numbered.length - 1; at >= 0; at--) {
    const event = numbered[at];
    if (!event) continue;
    while (isNoLater(event, beside.at(-1))) reversed.push(...beside.splice(-1));
    reversed.push(event);
  }
  return [...beside, ...reversed.reverse()];
}

const isNoLater = <E extends { at: string }>(event: E, than: E | undefined): boolean =>
  than !== undefined && Date.parse(event.at) <= Date.parse(than.at);
