import { unpackedBrowser } from "./browser.ts";

/** Unpacks the browser before the tests' processes begin, which would otherwise each unpack it. */
export default async function setup(): Promise<void> {
  await unpackedBrowser();
}
