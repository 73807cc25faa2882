/** A line that is no phone number, by its place in what was pasted, from 1. */
interface WrongLine {
  line: number;
  text: string;
}

/** The pasted numbers as they are dialed, each once, and what is not a number. */
export interface Pasted {
  numbers: string[];
  /** How many were written more than once. */
  repeated: number;
  wrong: WrongLine[];
}

/**
 * Reads phone numbers, one a line or separated by commas or semicolons, however they are spelled.
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
