import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";

/** The paths of the files that src/dev/gather-assets.ts gathers. It also defines their headers. */
const STATIC_FILES = ["/docs", "/docs/*", "/console/assets/*", "/widget.js", "/widget-voice.js"];
/** Aliases of the console's page, which redirect to its address. */
const TO_THE_CONSOLE = ["/console", "/console/index", "/console/index.html"];

/**
 * Serves the static files. In a deployment, the platform serves them before the Worker. On a developer's machine,
 * requests reach the Worker directly, because a router in front of it would halve the speed.
 */
export function serveStaticFiles(app: OpenAPIHono<AppEnv>): void {
  for (const path of [...STATIC_FILES, ...TO_THE_CONSOLE]) {
    app.use(path, async (c, next) => {
      const file = await c.env.ASSETS.fetch(c.req.raw);
      return file.status === 404 ? next() : file;
    });
  }
}
