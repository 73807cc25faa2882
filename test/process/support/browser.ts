import { type Browser, chromium } from "playwright-core";
import { inject } from "vitest";

/** The browser of the run; closing it closes the windows of this connection alone. */
export function launch(): Promise<Browser> {
  return chromium.connect(inject("browser"));
}
