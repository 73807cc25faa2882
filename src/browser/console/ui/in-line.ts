/** Letters that are written from right to left: of Hebrew, Arabic and their neighbours. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
const ISOLATE = "\u2068";
const END = "\u2069";

/** Values in a line, each in its place: one written from right to left would else take what follows it along. */
export const inLine = (values: string[]): string =>
  values.map((value) => (RIGHT_TO_LEFT.test(value) ? ISOLATE + value + END : value)).join(" · ");
