/** The path that routes a request for the whole server. */
export const WHOLE_SERVER = "/*";

/**
 * The request with a path. One for the server as a whole (`OPTIONS *`; RFC 9110, 9.3.7) arrives with the asterisk right
 * behind the host, and that is no URL.
 */
export function withPath(request: Request): Request {
  const { url } = request;
  const isWhole = url.endsWith("*") && !url.includes("/", url.indexOf("://") + 3);
  return isWhole ? new Request(url.slice(0, -1) + WHOLE_SERVER, request) : request;
}
