import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";

/** Everything the page needs comes from this host, scripts only from files: nothing inline, nothing from outside. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // The reference draws itself with style attributes and icons in data addresses.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Switchboard API reference</title>
    <link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/reference.css">
  </head>
  <body>
    <header><img src="/docs/icon.svg" alt="" width="28" height="28"><b>Switchboard</b><a href="/openapi.json">openapi.json</a></header>
    <main id="reference"></main>
    <noscript><p>The reference needs JavaScript; <a href="/openapi.json">the description itself</a> does not.</p></noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/reference.js"></script>
  </body>
</html>
`;

/** Serves the browsable reference at /docs; its scripts and styles are static files (see src/dev/build-assets.ts). */
export function serveDocs(app: OpenAPIHono<AppEnv>): void {
  app.get("/docs", (c) => c.html(PAGE, 200, { "content-security-policy": POLICY }));
}
