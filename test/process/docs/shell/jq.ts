/**
 * A stand-in for jq as the guides use it: `-r` with a path prints the value at that path. The output of any other use
 * is only for reading, so it is not printed.
 */
import { text } from "node:stream/consumers";

const [option, filter = ""] = process.argv.slice(2);
const input = await text(process.stdin);
if (option !== "-r") throw new Error(`jq ${option} is not what the guides use`);
if (/^(\.\w+(\[\d+\])?)+$/.test(filter)) {
  const keys = filter.match(/\w+/g) ?? [];
  const found = keys.reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | null)?.[key],
    JSON.parse(input || "{}"),
  );
  console.log(String(found ?? null));
}
