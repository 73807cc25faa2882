/** jq, as far as the guides depend on it: `-r .field` prints the field; whatever else is for reading is not printed. */
import { text } from "node:stream/consumers";

const [option, filter = ""] = process.argv.slice(2);
const input = await text(process.stdin);
const field = /^\.(\w+)$/.exec(filter)?.[1];
if (option !== "-r") throw new Error(`jq ${option} is not what the guides use`);
if (field !== undefined) console.log(String((JSON.parse(input || "{}") as Record<string, unknown>)[field] ?? null));
