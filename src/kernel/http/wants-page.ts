import type { Context } from "hono";
import { accepts } from "hono/accepts";

/** Checks whether the client prefers a page. Browsers list HTML first; other clients accept anything or JSON. */
export function wantsPage(c: Context): boolean {
  const supports = ["application/json", "text/html"];
  return accepts(c, { header: "Accept", supports, default: "application/json" }) === "text/html";
}
