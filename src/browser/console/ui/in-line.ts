/** Letters written from right to left: Hebrew, Arabic and related scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
const ISOLATE = "\u2068";
const END = "\u2069";

/** Values joined in one line; isolates keep one written from right to left from reordering its neighbors. */
export const inLine = (values: string[]): string =>
  values.map((value) => (RIGHT_TO_LEFT.test(value) ? ISOLATE + value + END : value)).join(" · ");
