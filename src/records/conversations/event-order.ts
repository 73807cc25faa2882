/**
 * Events in their order. A runtime numbers its own from 1; what the service logged beside them has negative numbers, and
 * stands where its time puts it.
 */
export function inOrder<E extends { seq: number; at: string }>(events: E[]): E[] {
  const numbered = events.filter(({ seq }) => seq > 0).toSorted((a, b) => a.seq - b.seq);
  const beside = events.filter(({ seq }) => seq < 0).toSorted((a, b) => b.seq - a.seq);
  if (beside.length === 0) return numbered;
  beside.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  // From the end: the last of the numbered that is no later than an event stands before it.
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
