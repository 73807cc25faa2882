import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { World } from "./context.ts";
import { EXIT, Failure } from "./failure.ts";

/** Reads a line without showing it; without a terminal, the first line of standard input. */
export async function readSecret(question: string, { stdin, stderr }: World): Promise<string> {
  const shown = stdin.isTTY === true;
  // Discards readline's output so that the terminal does not echo the keys.
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: shown });
  // Prints the question only once the terminal no longer echoes, because a paste may follow immediately.
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
