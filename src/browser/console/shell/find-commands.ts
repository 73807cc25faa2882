interface Findable {
  title: string;
  also?: string;
}

const MAX_FOUND = 40;

/** Returns the commands that match a text, best matches first and otherwise in their order. */
export function findCommands<T extends Findable>(commands: T[], text: string): T[] {
  const wanted = plain(text);
  return commands
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_FOUND)
    .map(({ command }) => command);
}

/**
 * Rates how well a text matches a command: at the beginning of the title, of a word, anywhere in the title, or in its
 * other text.
 */
function rankOf({ title, also = "" }: Findable, wanted: string): number {
  const name = plain(title);
  if (name.startsWith(wanted)) return 4;
  if (name.includes(` ${wanted}`)) return 3;
  if (name.includes(wanted)) return 2;
  return plain(also).includes(wanted) || isNumberIn(also, wanted) ? 1 : 0;
}

/** Checks whether a text contains a phone number, however its digits are grouped. */
function isNumberIn(text: string, wanted: string): boolean {
  const digits = wanted.replace(/[\s().-]/g, "");
  return /^\+?\d{3,}$/.test(digits) && text.includes(digits);
}

const plain = (text: string) => text.trim().toLowerCase();
