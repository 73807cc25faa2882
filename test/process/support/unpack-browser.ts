import { unpackedBrowser } from "./browser.ts";

/** Unpacks the browser before the tests' processes begin. Otherwise each of them would unpack it. */
export default async function setup(): Promise<void> {
  await unpackedBrowser();
}
