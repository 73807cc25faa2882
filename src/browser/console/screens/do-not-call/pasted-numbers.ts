/** A line without a phone number, with its line number from 1. */
interface WrongLine {
  line: number;
  text: string;
}

/** The distinct pasted numbers in E.164, and the invalid lines. */
export interface Pasted {
  numbers: string[];
  repeated: number;
  wrong: WrongLine[];
}

/**
 * Reads phone numbers in any spelling, one per line or separated by commas or semicolons.
 * @param canonicalNumber the service's own reader
 */
export function readPasted(text: string, canonicalNumber: (written: string) => string | null): Pasted {
  const numbers = new Set<string>();
  const wrong: WrongLine[] = [];
  let repeated = 0;
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    for (const piece of line.split(/[,;\t]/)) {
      const written = piece.trim();
      if (written === "") continue;
      const number = canonicalNumber(written);
      if (number === null) wrong.push({ line: at + 1, text: written });
      else if (numbers.has(number)) repeated++;
      else numbers.add(number);
    }
  }
  return { numbers: [...numbers], repeated, wrong };
}
