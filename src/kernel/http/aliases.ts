import { getPath } from "hono/utils/url";

/** Returns the path used for routing: `/v1…` means `/api/v1…`, and the legacy prefix `/hub-api` is removed. */
export function aliasedPath(request: Request): string {
  const path = getPath(request).replace(/^\/hub-api(?=\/|$)/, "") || "/";
  return path === "/v1" || path.startsWith("/v1/") ? `/api${path}` : path;
}
