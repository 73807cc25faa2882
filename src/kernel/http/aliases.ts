import { getPath } from "hono/utils/url";

/**
 * The path a route is looked up by: `/v1` and what is below it is `/api/v1`, and everything is there again behind the
 * legacy `/hub-api`.
 */
export function aliasedPath(request: Request): string {
  const path = getPath(request).replace(/^\/hub-api(?=\/|$)/, "") || "/";
  return path === "/v1" || path.startsWith("/v1/") ? `/api${path}` : path;
}
