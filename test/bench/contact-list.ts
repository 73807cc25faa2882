const NAMES = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Barbara Liskov"];
const CITIES = ["Berlin", "New York", "Lisbon", "Helsinki"];
const ROWS_A_PIECE = 20_000;

/**
 * Returns the n-th of some seven million numbers of Colorado. All of them differ and are in no order, as in a collected
 * list. The sandbox answers and completes calls with their last two digits.
 */
function phoneNumber(n: number): string {
  return `+1303${20_000 + ((n * 48_271 + 12_345) % 79_999)}${10 + (n % 90)}`;
}

/** Returns a contact list of about 39 bytes a row. */
export function contactList(rows: number): Blob {
  const pieces = ["phone_number,name,city\n"];
  for (let from = 0; from < rows; from += ROWS_A_PIECE) {
    const count = Math.min(ROWS_A_PIECE, rows - from);
    const lines = Array.from({ length: count }, (_, i) => {
      const n = from + i;
      return `${phoneNumber(n)},${NAMES[n % NAMES.length]} ${n % 1_000},${CITIES[n % CITIES.length]}\n`;
    });
    pieces.push(lines.join(""));
  }
  return new Blob(pieces, { type: "text/csv" });
}
