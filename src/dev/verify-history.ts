/** Checks a campaign's exported history without the service: node src/dev/verify-history.ts history.ndjson */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { z } from "zod";
import { failureText } from "./failure.ts";

const line = z.object({ entry: z.array(z.unknown()), previous_hash: z.string(), hash: z.string() });

const [file] = process.argv.slice(2);
if (!file) {
  console.error("usage: npm run verify-history -- history.ndjson");
  process.exit(2);
}
try {
  console.log(await verify(file));
} catch (error) {
  console.error(failureText(error));
  process.exit(1);
}

/** Describes an unbroken history. @throws Error with a sentence about any other file */
async function verify(path: string): Promise<string> {
  let previous = "";
  let number = 0;
  for await (const text of linesOf(path)) {
    number++;
    const { entry, previous_hash, hash } = parse(text, number);
    const expected = createHash("sha256")
      .update(`${previous}\n${JSON.stringify(entry)}`)
      .digest("hex");
    if (entry[0] !== number || previous_hash !== previous || hash !== expected)
      throw new Error(`line ${number}: the history was changed in this line or the one before`);
    previous = hash;
  }
  if (number === 0) throw new Error(`${path} contains no entries`);
  return `${number} entries, unbroken; last hash ${previous}`;
}

async function* linesOf(path: string): AsyncGenerator<string> {
  try {
    yield* (await open(path)).readLines();
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parse(text: string, number: number): z.infer<typeof line> {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    throw new Error(`line ${number}: not an entry of a campaign's history`);
  }
}
