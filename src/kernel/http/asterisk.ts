/** The path for requests to the server as a whole. */
export const WHOLE_SERVER = "/*";

/**
 * Gives `OPTIONS *` (RFC 9110, 9.3.7) a path. It arrives with the asterisk directly after the host, which is not a
 * valid URL.
 */
export function withPath(request: Request): Request {
  const { url } = request;
  const isWhole = url.endsWith("*") && !url.includes("/", url.indexOf("://") + 3);
  return isWhole ? new Request(url.slice(0, -1) + WHOLE_SERVER, request) : request;
}
