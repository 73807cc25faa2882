import type { Context } from "hono";
import { accepts } from "hono/accepts";

/** Whether a page is asked for rather than data: browsers name HTML before all else, other clients anything or JSON. */
export function wantsPage(c: Context): boolean {
  const supports = ["application/json", "text/html"];
  return accepts(c, { header: "Accept", supports, default: "application/json" }) === "text/html";
}
