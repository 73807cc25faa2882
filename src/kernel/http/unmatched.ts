import type { Context } from "hono";
import { METHOD_NAME_ALL } from "hono/router";
import type { AppEnv } from "./context.ts";
import { ApiError, notFound, renderError } from "./errors.ts";
import { RememberingRouter } from "./remembering-router.ts";
import { WHOLE_SERVER } from "./request-path.ts";

interface Route {
  method: string;
  path: string;
}

/**
 * Responds to a request that matched no route: 405 with Allow if the path exists for other methods (RFC 9110, 15.5.6),
 * 308 if the path exists without its trailing slash, otherwise 404. `OPTIONS *` lists the methods of all routes.
 */
export function unmatched(routes: Route[]): (c: Context<AppEnv>) => Response {
  let methodsOf: ((path: string) => Set<string>) | undefined;
  return (c) => {
    methodsOf ??= methodsByPath(routes);
    // The routed path is used, because an alias has the same methods.
    const allowed = methodsOf(c.req.path);
    if (allowed.size === 0) {
      const location = c.req.path.endsWith("/") ? withoutSlash(c.req.url) : null;
      const isServed = location !== null && methodsOf(c.req.path.slice(0, -1)).size > 0;
      return isServed ? c.body(null, 308, { location }) : renderError(notFound("resource"), c);
    }
    if (allowed.has("GET")) allowed.add("HEAD");
    const allow = [...allowed, "OPTIONS"].join(", ");
    if (c.req.method === "OPTIONS") return c.body(null, 204, { allow });
    return renderError(new ApiError(405, "method_not_allowed", `use ${allow}`, { allow }), c);
  };
}

/** Returns the path and query of a URL without its trailing slash; null if it has no slash there, or two. */
function withoutSlash(url: string): string | null {
  const { pathname, search } = new URL(url);
  // A path that begins with two slashes would be read as another host.
  if (!/^\/(?!\/).*[^/]\/$/.test(pathname)) return null;
  return pathname.slice(0, -1) + search;
}

/**
 * Returns a function that looks up the methods of a path, based on one of the framework's routers. Walking through all
 * routes would cost more than the rest of a 404.
 */
function methodsByPath(routes: Route[]): (path: string) => Set<string> {
  const router = new RememberingRouter<string>();
  for (const { method, path } of routes) if (method !== METHOD_NAME_ALL) router.add(METHOD_NAME_ALL, path, method);
  const served = routes.map(({ method }) => method).filter((method) => method !== METHOD_NAME_ALL);
  return (path) =>
    new Set(path === WHOLE_SERVER ? served : router.match(METHOD_NAME_ALL, path)[0].map(([method]) => method));
}
