/** Checks a campaign's exported history without the service: node src/dev/verify-history.ts history.ndjson */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

interface Line {
  entry: unknown[];
  previous_hash: string;
  hash: string;
}

const [file] = process.argv.slice(2);
if (!file) {
  console.error("usage: node src/dev/verify-history.ts history.ndjson");
  process.exit(2);
}

let previous = "";
let number = 0;
for await (const text of createInterface({ input: createReadStream(file) })) {
  const { entry, previous_hash, hash }: Line = JSON.parse(text);
  number++;
  const expected = createHash("sha256")
    .update(`${previous}\n${JSON.stringify(entry)}`)
    .digest("hex");
  if (entry[0] !== number || previous_hash !== previous || hash !== expected) {
    console.error(`line ${number}: the history was changed here or just before`);
    process.exit(1);
  }
  previous = hash;
}
console.log(`${number} entries, unbroken; last hash ${previous}`);
