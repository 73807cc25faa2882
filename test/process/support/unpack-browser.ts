import { unpackedBrowser } from "./browser.ts";

/** Unpacks the browser before the processes of the tests begin, each of which would else do it. */
export default async function setup(): Promise<void> {
  await unpackedBrowser();
}
