/**
 * Events in their order. A runtime numbers its own from 1; what the service logged beside them has negative numbers, and
 * stands where its time puts it.
 */
export function inOrder<E extends { seq: number; at: string }>(events: E[]): E[] {
  const numbered = events.filter(({ seq }) => seq > 0).toSorted((a, b) => a.seq - b.seq);
  const beside = events.filter(({ seq }) => seq < 0).toSorted((a, b) => b.seq - a.seq);
  for (const event of beside) {
    const before = numbered.findLastIndex(({ at }) => Date.parse(at) <= Date.parse(event.at));
    numbered.splice(before + 1, 0, event);
  }
  return numbered;
}
