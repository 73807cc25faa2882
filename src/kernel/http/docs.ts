import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";
import { wantsPage } from "./wants-page.ts";

/**
 * What is left to the Worker of /docs, whose pages are static files (src/dev/guides): the page for a browser that looks
 * for one that is not there. Everybody else gets the error that they get everywhere.
 */
export function serveDocs(app: OpenAPIHono<AppEnv>): void {
  app.use("/docs/*", async (c, next) => {
    if (!["GET", "HEAD"].includes(c.req.method) || !wantsPage(c)) return next();
    const page = await c.env.ASSETS.fetch(new Request(new URL("/docs/not-found", c.req.url), { method: c.req.method }));
    return new Response(page.body, { status: 404, headers: page.headers });
  });
}
