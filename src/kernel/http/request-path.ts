import { getPath } from "hono/utils/url";

/** The path of requests that address the server as a whole. */
export const WHOLE_SERVER = "/*";

/**
 * Gives `OPTIONS *` (RFC 9110, 9.3.7) a path. In its URL the asterisk follows the host directly, which is not valid.
 */
export function withPath(request: Request): Request {
  const { url } = request;
  const isWhole = url.endsWith("*") && !url.includes("/", url.indexOf("://") + 3);
  return isWhole ? new Request(url.slice(0, -1) + WHOLE_SERVER, request) : request;
}

/** Returns the path that is used for routing: `/v1…` means `/api/v1…`, and the legacy prefix `/hub-api` is removed. */
export function aliasedPath(request: Request): string {
  const path = getPath(request).replace(/^\/hub-api(?=\/|$)/, "") || "/";
  return path === "/v1" || path.startsWith("/v1/") ? `/api${path}` : path;
}
