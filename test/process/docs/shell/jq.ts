/**
 * jq, as far as the guides depend on it: `-r` with a path prints the value there; anything else is for reading and not
 * printed.
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
