import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Reads an answer at the terminal, without an echo if it is hidden. @throws Error without a terminal */
export async function readAnswer(question: string, how: "shown" | "hidden" = "shown"): Promise<string> {
  if (!process.stdin.isTTY) throw new Error(`this needs a terminal to ask for: ${question.replace(/:\s*$/, "")}`);
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = how === "hidden" ? silent : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return (await lines.question("")).trim();
  } finally {
    lines.close();
    if (how === "hidden") process.stderr.write("\n");
  }
}

/** The shortest passphrase, characters. */
const LEAST_LENGTH = 12;

/** Reads the passphrase from a file's first line or the terminal, there twice if it is new. @throws Error with a sentence */
export async function passphrase(file: string | undefined, isNew: boolean): Promise<string> {
  if (file !== undefined) return long((await readFile(file, "utf8")).split(/\r?\n/, 1)[0] ?? "");
  const first = long(await readAnswer("Passphrase: ", "hidden"));
  if (isNew && (await readAnswer("Repeat the passphrase: ", "hidden")) !== first)
    throw new Error("the two passphrases are not the same; run the command again");
  return first;
}

function long(text: string): string {
  if (text.length < LEAST_LENGTH) throw new Error(`the passphrase must have at least ${LEAST_LENGTH} characters`);
  return text;
}
