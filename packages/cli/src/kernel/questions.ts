/** Asking the user. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { World } from "./context.ts";

/** A line that is not shown while it is typed or pasted; without a terminal, the first line of standard input. */
export async function askSecret(question: string, { stdin, stderr }: World): Promise<string> {
  const shown = stdin.isTTY === true;
  if (shown) stderr.write(question);
  // With a terminal whose output goes nowhere, readline keeps the keys from being echoed.
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: shown });
  try {
    return await new Promise<string>((answer) => {
      lines.once("line", (line) => answer(line.trim()));
      lines.once("close", () => answer(""));
    });
  } finally {
    lines.close();
    if (shown) stderr.write("\n");
  }
}
