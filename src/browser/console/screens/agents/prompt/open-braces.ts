/**
 * Returns the line, from 1, of the first `{{` that isn't closed before the next one or the end; undefined if there is
 * none. If there are more than two braces, the last two count. A single `}` after the name closes nothing.
 */
export function openBracesLine(text: string): number | undefined {
  const begins = [...text.matchAll(/\{{2,}/g)].map(({ index, 0: braces }) => index + braces.length);
  const open = begins.find((begin, i) => {
    const inside = text.slice(begin, begins[i + 1] ?? text.length);
    const close = inside.indexOf("}}");
    return close === -1 || /^[^{}|]*\}(?!\})/.test(inside);
  });
  return open === undefined ? undefined : text.slice(0, open).split("\n").length;
}
