/** What a command is found by. */
interface Findable {
  title: string;
  also?: string;
}

/** As many as anybody reads through. */
const MAX_FOUND = 40;

/** Those that a text finds, what begins with it first; in their order where both are alike. */
export function findCommands<T extends Findable>(commands: T[], text: string): T[] {
  const wanted = plain(text);
  return commands
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_FOUND)
    .map(({ command }) => command);
}

/** How well a text names a command: by the title's beginning, a word's, anything in it, or else by what it is called too. */
function rankOf({ title, also = "" }: Findable, wanted: string): number {
  const name = plain(title);
  if (name.startsWith(wanted)) return 4;
  if (name.includes(` ${wanted}`)) return 3;
  if (name.includes(wanted)) return 2;
  return plain(also).includes(wanted) || isNumberIn(also, wanted) ? 1 : 0;
}

/** A phone number is found however its digits are grouped. */
function isNumberIn(text: string, wanted: string): boolean {
  const digits = wanted.replace(/[\s().-]/g, "");
  return /^\+?\d{3,}$/.test(digits) && text.includes(digits);
}

const plain = (text: string) => text.trim().toLowerCase();
