/** Builds the Worker as `npm start` serves it. */
import { bundleWorker, DEV_WORKER } from "./bundle.ts";
import { failureText } from "./failure.ts";

try {
  await bundleWorker({ main: DEV_WORKER });
} catch (error) {
  console.error(failureText(error));
  process.exit(1);
}
