import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";
import { wantsPage } from "./wants-page.ts";

/**
 * Serves a 404 page to browsers under /docs, and the usual error to other clients. The pages themselves are static
 * files; see src/dev/guides.
 */
export function serveDocs(app: OpenAPIHono<AppEnv>): void {
  app.use("/docs/*", async (c, next) => {
    if (!["GET", "HEAD"].includes(c.req.method) || !wantsPage(c)) return next();
    const page = await c.env.ASSETS.fetch(new Request(new URL("/docs/not-found", c.req.url), { method: c.req.method }));
    return new Response(page.body, { status: 404, headers: page.headers });
  });
}
