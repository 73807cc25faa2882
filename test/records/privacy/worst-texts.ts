/**
 * Returns a function that creates a text of the given length from many pieces. The pieces are numbered, so that they
 * can differ.
 */
const repeated = (one: (n: number) => string) => (chars: number) => {
  let text = "";
  for (let n = 0; text.length < chars; n++) text += one(n);
  return text.slice(0, chars);
};

/** Texts that require the most work per character, each as a function of its length. */
export const WORST_TEXTS: Record<string, (chars: number) => string> = {
  "digits in brackets": repeated(() => "1-2.3(4)"),
  "one row of digits": repeated((n) => String(n % 10)),
  "single digits": repeated((n) => `${n % 10} `),
  pluses: repeated((n) => `+${1 + (((n * n * 31 + n) >> 3) % 2)}`),
  "foreign numbers": repeated((n) => `+49${(30_000_000 + n * 7_919) % 100_000_000} `),
  "pluses and groups": repeated((n) => `+${10 + (n % 90)} ${n % 10},`),
  "number words": repeated(() => "one two "),
  "number words that repeat": repeated(() => "double  triple "),
  "the word twenty": repeated(() => "twenty-"),
  "card numbers": repeated(() => "4242424242424242 "),
  "card numbers in one chain": repeated(() => "4242,"),
  "beginnings of an IBAN": repeated(() => "DE89"),
  IBANs: repeated(() => "DE89 3704 0044 0532 0130 00 "),
  "look-alikes of IBANs and numbers": repeated((n) => `GB29NWBK6016133192${1_000 + (n % 9_000)} ${n} `),
  "spelled letters": repeated(() => "D E "),
  "one long word": repeated(() => "a"),
  "beginnings of an address": repeated(() => "a@"),
  "an address without end": (chars) => `${"a".repeat(60)}@${"a.".repeat(chars)}`.slice(0, chars),
  addresses: repeated((n) => `a${n}@b.example `),
  "addresses and numbers": repeated((n) => `2025550143${n}@b.example,`),
  spaces: repeated(() => " "),
  "a number word before spaces": (chars) => `double${" ".repeat(chars)}`.slice(0, chars),
  separators: repeated(() => "- "),
};
