import type { OpenAPIHono } from "@hono/zod-openapi";
import { runtimeUrl } from "./base-url.ts";
import type { AppEnv, Bindings } from "./context.ts";
import { ApiError } from "./errors.ts";

const PAGE = "/console/";
/** The scripts and styles, named by their content hash; src/dev/gather-assets.ts writes them. */
const FILES = "/console/assets/";
const METHODS = ["GET", "HEAD"];

/** Voice needs the microphone; the console uses no other feature that browsers ask people about. */
const PERMISSIONS = [
  "microphone=(self)",
  ...["accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer", "midi"].map(off),
  ...["payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"].map(off),
].join(", ");

/**
 * Serves the console's page at its path and every path below it, which the console routes itself. When deployed, the
 * page is also served by the Worker (`run_worker_first` in wrangler.toml), because its policy contains the runtime's
 * address.
 */
export function serveConsole(app: OpenAPIHono<AppEnv>): void {
  app.use("/console/*", async (c, next) => {
    const { pathname } = new URL(c.req.url);
    // A page of an earlier release requests files that no longer exist, and needs a 404 instead of this page.
    if (!pathname.startsWith(PAGE) || pathname.startsWith(FILES)) return next();
    if (!METHODS.includes(c.req.method)) {
      const allow = METHODS.join(", ");
      throw new ApiError(405, "method_not_allowed", `use ${allow}`, { allow });
    }
    const clientEtag = c.req.header("if-none-match");
    const file = await c.env.ASSETS.fetch(new URL(PAGE, c.req.url), {
      method: c.req.method,
      headers: clientEtag === undefined ? {} : { "if-none-match": clientEtag },
    });
    if (file.status === 404) return next();
    const page = new Response(file.body, file);
    page.headers.set("cache-control", "no-cache");
    page.headers.set("content-security-policy", policy(c.env));
    page.headers.set("cross-origin-resource-policy", "same-origin");
    page.headers.set("permissions-policy", PERMISSIONS);
    return page;
  });
}

/**
 * Returns the page's content security policy: files of this host, no inline script or style. Images from any https host
 * are allowed because the widget preview shows the account's logo; data: URLs are not needed. Sockets and recordings
 * are at the addresses that the API returns, which may be on another host.
 */
function policy(env: Bindings): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https:",
    `connect-src 'self'${originOf(runtimeUrl(env))}`,
    `media-src 'self' blob:${originOf(env.PUBLIC_URL)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Returns the origin of a URL after a space; "" if it is not a URL. */
function originOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? ` ${new URL(url).origin}` : "";
}

function off(feature: string): string {
  return `${feature}=()`;
}
