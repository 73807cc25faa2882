import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { baseOf, knowsItsAddress } from "../kernel/http/base-url.ts";
import { parseJson, readBytes } from "../kernel/http/body.ts";
import { decodedBody } from "../kernel/http/content-encoding.ts";
import type { AppEnv, Bindings, Principal } from "../kernel/http/context.ts";
import { ApiError, invalid } from "../kernel/http/errors.ts";
import { MAX_VALUES } from "../kernel/http/inspect-json.ts";
import { serve } from "../kernel/http/serve.ts";
import { Api } from "./api.ts";
import * as contract from "./contract.ts";

/** The maximum size of a body, and how much is read of a larger one, bytes. A tool's arguments have a few KB. */
export const LIMIT = { kept: 256 * 1024, read: 1024 * 1024 };
/** The last revision of the protocol with batches. It is assumed for a request that names no revision. */
const WITH_BATCHES = "2025-03-26";

/** The whole service. Tools call it in the same way as its clients do. */
type Service = (request: Request, c: Context<AppEnv>) => Response | Promise<Response>;

/**
 * The protocol's library and everything that uses it. The first request that needs it loads it, and no request waits
 * for another one's load.
 */
let server: typeof import("./server.ts") | null = null;

/** Serves the platform as an MCP server. */
export function mcp(service: Service): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>();
  serve(app, contract.mcp, async ({ c, env, principal, store, now }) => {
    assertOrigin(env, c.req.header("origin"));
    assertScopesNamed(principal);
    const body = await readMessage(c);
    server ??= await import("./server.ts");
    const api = new Api(c.req.raw, async (request) => service(request, c));
    return server.answerMcp(c.req.raw, body, { env, principal, store, now, api, origin: new URL(c.req.url).origin });
  });
  return app;
}

/** Refuses requests from pages of other sites (DNS rebinding). Only pages send an Origin. @throws ApiError 403 */
function assertOrigin(env: Bindings, origin: string | undefined): void {
  if (origin === undefined || (knowsItsAddress(env) && origin === new URL(baseOf(env)).origin)) return;
  throw new ApiError(403, "origin_not_allowed", "pages of other sites cannot use this endpoint");
}

/** Refuses keys whose scopes were not chosen explicitly. @throws ApiError 403 */
function assertScopesNamed({ keyTerms }: Pick<Principal, "keyTerms">): void {
  if (keyTerms?.scopesNamed) return;
  throw new ApiError(
    403,
    "scopes_not_named",
    "this API key has the default scopes: name the scopes that the assistant needs, in the console or with " +
      '`scopes` of /api/v1/api-keys, for instance ["read"]',
  );
}

/** Parses the message, or the messages of a batch. @throws ApiError 400, 413 */
async function readMessage(c: Context<AppEnv>): Promise<unknown> {
  const bytes = await readBytes({ headers: c.req.raw.headers, body: decodedBody(c.req.raw) }, LIMIT);
  const body = parseJson(bytes, { values: MAX_VALUES, halfPairs: false });
  if (!Array.isArray(body)) return body;
  const version = c.req.header("mcp-protocol-version") ?? WITH_BATCHES;
  if (version > WITH_BATCHES) throw invalid(`the protocol has no batches in ${version}`, "batch_not_allowed");
  if (body.length > contract.MOST_OF_A_BATCH)
    throw invalid(`a batch can have at most ${contract.MOST_OF_A_BATCH} messages`, "batch_too_large");
  return body;
}
