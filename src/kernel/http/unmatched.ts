import type { Context } from "hono";
import { METHOD_NAME_ALL } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { WHOLE_SERVER } from "./asterisk.ts";
import type { AppEnv } from "./context.ts";
import { ApiError, notFound, renderError } from "./errors.ts";

const NO_RESOURCE = notFound("resource");

interface Route {
  method: string;
  path: string;
}

/**
 * Answers a request that none of the routes matched: 405 with Allow where the path exists for other methods (RFC 9110,
 * 15.5.6), 308 where only a slash at its end is too many, else 404. The server as a whole has the
 * methods of all its routes.
 */
export function unmatched(routes: Route[]): (c: Context<AppEnv>) => Response {
  let methodsOf: ((path: string) => Set<string>) | undefined;
  return (c) => {
    methodsOf ??= methodsByPath(routes);
    // The routed path, because an alias is served by the same methods.
    const allowed = methodsOf(c.req.path);
    if (allowed.size === 0) {
      const location = withoutSlash(c.req.url);
      const isServed = location !== null && methodsOf(c.req.path.slice(0, -1)).size > 0;
      return isServed ? c.body(null, 308, { location }) : renderError(NO_RESOURCE, c);
    }
    if (allowed.has("GET")) allowed.add("HEAD");
    const allow = [...allowed, "OPTIONS"].join(", ");
    if (c.req.method === "OPTIONS") return c.body(null, 204, { allow });
    return renderError(new ApiError(405, "method_not_allowed", `use ${allow}`, { allow }), c);
  };
}

/** The path and query of a URL whose path has a slash too many at its end; null if it has none, or two. */
function withoutSlash(url: string): string | null {
  const { pathname, search } = new URL(url);
  // A path that begins with two slashes would name another host.
  if (!/^\/(?!\/).*[^/]\/$/.test(pathname)) return null;
  return pathname.slice(0, -1) + search;
}

/**
 * Looks up by which methods a path is served, with a router of the framework's own: a walk over all routes would cost more
 * than the rest of a 404.
 */
function methodsByPath(routes: Route[]): (path: string) => Set<string> {
  const router = new TrieRouter<string>();
  for (const { method, path } of routes) if (method !== METHOD_NAME_ALL) router.add(METHOD_NAME_ALL, path, method);
  const served = routes.map(({ method }) => method).filter((method) => method !== METHOD_NAME_ALL);
  return (path) =>
    new Set(path === WHOLE_SERVER ? served : router.match(METHOD_NAME_ALL, path)[0].map(([method]) => method));
}
