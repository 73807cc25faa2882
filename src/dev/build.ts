/**
 * `npm run build`, which `npm ci` runs too, builds the static files and the Worker that `npm start` serves, if their
 * sources have changed. With a name (`npm run build -- assets`) it builds only that.
 */
import { BUILD_NAMES, ensureBuilt } from "./builds.ts";
import { failureText } from "./failure.ts";

const [only] = process.argv.slice(2);
const names = only === undefined ? BUILD_NAMES : BUILD_NAMES.filter((name) => name === only);
if (names.length === 0) {
  console.error(`usage: npm run build -- [${BUILD_NAMES.join("|")}]`);
  process.exit(2);
}
try {
  await Promise.all(names.map(ensureBuilt));
} catch (error) {
  console.error(`switchboard: ${failureText(error)}`);
  process.exit(1);
}
