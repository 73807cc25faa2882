import type { Context } from "hono";
import type { AppEnv } from "./context.ts";

/**
 * What every response says to browsers unless its handler said otherwise. Nothing here touches CORS, and a script or
 * a file meant for other origins keeps its own policy: the widget lives on customers' pages.
 */
export function secure(c: Context<AppEnv>): void {
  const type = c.res.headers.get("content-type") ?? "";
  const isPage = type.startsWith("text/html");
  const defaults: Record<string, string> = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    // An answer may hold account data or a token: what is cacheable says so itself.
    "cache-control": "no-store",
    ...(c.req.url.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
    ...(isPage && {
      "content-security-policy": "frame-ancestors 'none'",
      "cross-origin-opener-policy": "same-origin",
    }),
    ...(type.includes("json") && {
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
    }),
  };
  for (const [name, value] of Object.entries(defaults)) {
    if (!c.res.headers.has(name)) c.header(name, value);
  }
}
