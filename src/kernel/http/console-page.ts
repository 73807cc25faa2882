import type { OpenAPIHono } from "@hono/zod-openapi";
import { runtimeUrl } from "./base-url.ts";
import type { AppEnv, Bindings } from "./context.ts";
import { ApiError } from "./errors.ts";

const PAGE = "/console/";
/** The path of the scripts and styles, which src/dev/gather-assets.ts names by their content hash. */
const FILES = "/console/assets/";
const METHODS = ["GET", "HEAD"];

/** Voice needs the microphone. The console uses no other feature for which browsers ask a person's permission. */
const PERMISSIONS = [
  "microphone=(self)",
  ...["accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer", "midi"].map(off),
  ...["payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"].map(off),
].join(", ");

/**
 * Serves the console's page at its path and at every path below it, which the console routes itself. In a deployment,
 * too, the Worker serves the page (`run_worker_first` in wrangler.toml), because its policy contains the runtime's
 * address.
 */
export function serveConsole(app: OpenAPIHono<AppEnv>): void {
  app.use("/console/*", async (c, next) => {
    const { pathname } = new URL(c.req.url);
    // A page of an earlier release requests files that no longer exist. It must get a 404 instead of this page.
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
 * Returns the page's content security policy: only files of this host, and no inline scripts or styles. Images from any
 * https host are allowed, because the widget preview shows the account's logo; data: URLs are not needed. Sockets and
 * recordings have the addresses that the API returns, which may be on another host.
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

/** Returns a space and the origin of a URL; "" if it is not a URL. */
function originOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? ` ${new URL(url).origin}` : "";
}

function off(feature: string): string {
  return `${feature}=()`;
}
