import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";

/** The folders of the files gathered by src/dev/gather-assets.ts, which also defines their headers. */
const STATIC_FILES = ["/docs", "/docs/*", "/console/assets/*", "/widget.js", "/widget-voice.js"];
/** Aliases of the console's page, which redirect to its address. */
const TO_THE_CONSOLE = ["/console", "/console/index", "/console/index.html"];

/**
 * Serves the static files as they are. Deployed, they are served before the Worker and never asked for here; on a
 * developer's machine the socket leads straight to the Worker, since a router before it would halve the speed.
 */
export function serveStaticFiles(app: OpenAPIHono<AppEnv>): void {
  for (const path of [...STATIC_FILES, ...TO_THE_CONSOLE]) {
    app.use(path, async (c, next) => {
      const file = await c.env.ASSETS.fetch(c.req.raw);
      return file.status === 404 ? next() : file;
    });
  }
}
