/** Builds the Worker as `npm start` serves it. */
import { bundleWorker, DEV_WORKER } from "./bundle.ts";

try {
  await bundleWorker({ main: DEV_WORKER });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
