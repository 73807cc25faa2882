/** Letters written from right to left: Hebrew, Arabic and related scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
const ISOLATE = "\u2068";
const END = "\u2069";

/** Joins values in one line. Isolates keep a right-to-left value from reordering its neighbors. */
export const inLine = (values: string[]): string =>
  values.map((value) => (RIGHT_TO_LEFT.test(value) ? ISOLATE + value + END : value)).join(" · ");
