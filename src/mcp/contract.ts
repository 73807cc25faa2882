import { z } from "@hono/zod-openapi";
import { endpoint } from "../kernel/http/endpoint.ts";

/** The maximum number of messages in a batch, because each one may cost several requests. */
export const MOST_OF_A_BATCH = 10;

const single = z.record(z.string(), z.unknown());
const message = z.union([single, z.array(single).max(MOST_OF_A_BATCH)]).openapi({
  description: "A JSON-RPC 2.0 message of the Model Context Protocol.",
  example: { jsonrpc: "2.0", id: "list", method: "tools/list", params: {} },
});

export const mcp = endpoint({
  method: "post",
  path: "/mcp",
  access: "server",
  scope: ["read"],
  ofAgents: "handler",
  tag: "MCP",
  operationId: "mcp",
  summary: "Use the platform from an AI assistant through the Model Context Protocol",
  description:
    "A stateless MCP server over Streamable HTTP, for clients of the protocol's revision 2026-07-28 and earlier " +
    "ones. The bearer token is an API key whose scopes were named. Tools that the key's scopes do not allow are " +
    "not listed. Calls to people and changes of live agents have to be confirmed, by a person unless the key is " +
    "`unattended`. A tool call sends requests to this API with the key, which count towards its rate limit. See " +
    "/docs/guides/assistant.",
  rawBody: { "application/json": { schema: message } },
  status: 200,
  stream: {
    "application/json": {
      schema: z
        .record(z.string(), z.unknown())
        .openapi({ example: { jsonrpc: "2.0", id: "tools", result: { tools: [] } } }),
    },
    "text/event-stream": { schema: z.string(), example: "event: message\ndata: {}\n\n" },
  },
  errors: {
    400: "not a message of the protocol",
    403: "`scopes_not_named`: the key's scopes were never named; `origin_not_allowed`: the page of another site asks",
    413: "a body of more than 256 KB",
  },
});
