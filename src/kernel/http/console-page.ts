import type { OpenAPIHono } from "@hono/zod-openapi";
import { runtimeUrl } from "./base-url.ts";
import type { AppEnv, Bindings } from "./context.ts";
import { ApiError } from "./errors.ts";

const PAGE = "/console/";
/** Its scripts and styles, named by what is in them; src/dev/gather-assets.ts puts them there. */
const FILES = "/console/assets/";
const METHODS = ["GET", "HEAD"];

/** Voice needs the microphone; nothing of the console needs anything else that browsers ask people for. */
const PERMISSIONS = [
  "microphone=(self)",
  ...["accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer", "midi"].map(off),
  ...["payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"].map(off),
].join(", ");

/**
 * Serves the console's page: at its address and at every one below it, which the console itself knows how to show. Deployed,
 * the page is left to the Worker too (`run_worker_first` in wrangler.toml), since its policy names the runtime's address.
 */
export function serveConsole(app: OpenAPIHono<AppEnv>): void {
  app.use("/console/*", async (c, next) => {
    const { pathname } = new URL(c.req.url);
    // A page of an earlier release requests files that no longer exist: it needs a 404, not this page as a script.
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
 * What the page may load: files of this host, and no inline script or style. Images of any https host are allowed
 * because the widget preview shows the account's logo; data: URLs are not, since nothing needs them. Sockets and
 * recordings are at the addresses the API gives, which may differ from the page's host.
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

/** The origin with a space before it; nothing for what is no address. */
function originOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? ` ${new URL(url).origin}` : "";
}

function off(feature: string): string {
  return `${feature}=()`;
}
