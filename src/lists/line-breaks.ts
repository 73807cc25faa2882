/**
 * Makes every line end in a line feed, as the parser requires, in a way that can be undone: CR LF stays, and a single
 * carriage return becomes CR VT LF. Every carriage return is then followed by a line feed, or by VT and a line feed.
 */
export function endLines(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/g, "\r\v\n") : text;
}

/** Returns a row's cells as they were in the file, without the rest of the line break after the last cell. */
export function cellsAsSent(cells: string[]): string[] {
  return cells.map((cell, i) => {
    if (!cell.includes("\r")) return cell;
    return (i === cells.length - 1 ? cell.replace(/\r\v?$/, "") : cell).replaceAll("\r\v\n", "\r");
  });
}

/** Returns how many lines a row spans in addition to its first one. */
export function lineBreaksIn(row: string[]): number {
  let breaks = 0;
  for (const field of row) for (let at = field.indexOf("\n"); at !== -1; at = field.indexOf("\n", at + 1)) breaks++;
  return breaks;
}
