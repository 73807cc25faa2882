import type { Context } from "hono";
import type { AppEnv } from "./context.ts";
import { ApiError, notFound, renderError } from "./errors.ts";

interface Route {
  method: string;
  path: string;
}

/**
 * Answers a request that no route matched: 405 with Allow where the path exists for other methods (RFC 9110, 15.5.6),
 * else 404.
 */
export function unmatched(c: Context<AppEnv>, routes: Route[]): Response {
  const allowed = new Set(
    routes.filter(({ method, path }) => method !== "ALL" && matches(path, c.req.path)).map((r) => r.method),
  );
  if (allowed.size === 0) return renderError(notFound("resource"), c);
  if (allowed.has("GET")) allowed.add("HEAD");
  const allow = [...allowed, "OPTIONS"].join(", ");
  if (c.req.method === "OPTIONS") return c.body(null, 204, { allow });
  return renderError(new ApiError(405, "method_not_allowed", `use ${allow}`, { allow }), c);
}

function matches(pattern: string, path: string): boolean {
  const [want, got] = [pattern.split("/"), path.split("/")];
  return (
    want.length === got.length && want.every((part, i) => (part.startsWith(":") ? got[i] !== "" : part === got[i]))
  );
}
