/** Asking the user. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { World } from "./context.ts";
import { EXIT, Failure } from "./failure.ts";

/** A line that is not shown while it is typed or pasted; without a terminal, the first line of standard input. */
export async function readSecret(question: string, { stdin, stderr }: World): Promise<string> {
  const shown = stdin.isTTY === true;
  // A terminal whose output goes nowhere keeps readline from echoing the keys.
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: shown });
  // Asked once the terminal no longer echoes: a paste may follow at once.
  if (shown) stderr.write(question);
  try {
    return await new Promise<string>((answer, refuse) => {
      lines.once("SIGINT", () => refuse(new Failure(EXIT.interrupted, "interrupted", "")));
      lines.once("line", (line) => answer(line.trim()));
      lines.once("close", () => answer(""));
    });
  } finally {
    lines.close();
    if (shown) stderr.write("\n");
  }
}
