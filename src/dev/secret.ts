/** `npm run --silent secret <name>` prints a new value for one of the Worker's secrets, for `wrangler secret put`. */
import { freshSecrets } from "./secrets.ts";

const secrets: Record<string, string> = await freshSecrets();
const value = secrets[process.argv[2] ?? ""];
if (value === undefined) {
  console.error(`usage: npm run --silent secret ${Object.keys(secrets).join("|")}`);
  process.exit(2);
}
process.stdout.write(value);
