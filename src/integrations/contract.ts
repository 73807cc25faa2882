import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { smallJson, timestamp, uuid } from "../http/fields.ts";
import { listOf } from "../http/paging.ts";

const asked = z.object({ name: z.string(), label: z.string(), required: z.boolean(), description: z.string() });
const paramValue = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: "must be text, a number, true or false, or null, which takes it away",
});
const integration = z
  .object({
    id: uuid,
    name: z.string(),
    display_name: z.string(),
    description: z.string(),
    category: z.string(),
    status: z.enum(["available", "installed"]),
    installed_at: timestamp.nullable(),
    params: z.record(z.string(), z.unknown()),
    secret_names: z.array(z.string()).openapi({ description: "The names of the secrets stored; never their values." }),
    auth: z.enum(["token", "oauth", "signature"]).openapi({
      description:
        "How the vendor lets a program in. Only what takes a `token` that its customer can make and store here can be " +
        "connected; what takes tokens of an hour (`oauth`) or signed requests (`signature`) asks for nothing and is never ready.",
    }),
    asks_for: z.object({ params: z.array(asked), secrets: z.array(asked) }),
    ready: z.boolean().openapi({ description: "Installed, and everything required is stored." }),
    missing: z
      .array(z.string())
      .openapi({ description: "The names of the required params and secrets that are not stored." }),
    reason: z.string().nullable().openapi({ description: "Why it is not ready, in a sentence; null where it is." }),
  })
  .openapi("Integration");

const slice = { access: "account", tag: "Integrations" } as const;
const params = z.object({ id: z.string().openapi({ description: "uuid or name" }) });
const unknown = { 404: "unknown integration" };

export const listIntegrations = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/integrations",
  operationId: "listIntegrations",
  summary: "List the integrations there are, and which the account has installed",
  description: "The whole catalogue, each with what it asks for and whether it is installed.",
  query: z.object({ category: z.string().optional(), status: z.enum(["available", "installed"]).optional() }),
  kept: true,
  status: 200,
  response: listOf("integrations", integration).extend({
    categories: z
      .record(z.string(), z.number().int())
      .openapi({ description: "Of all integrations that meet status." }),
  }),
});

export const getIntegration = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/integrations/{id}",
  operationId: "getIntegration",
  summary: "Get an integration",
  description: "By its id or its name, with what it asks for.",
  params,
  kept: true,
  status: 200,
  response: integration,
  errors: unknown,
});

export const installIntegration = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/integrations/{id}/install",
  operationId: "installIntegration",
  summary: "Install an integration; values not sent stay as they were stored",
  description:
    "`params` are stored as they are, `secrets` encrypted and never given back. What is sent is added to what is stored, " +
    "name by name; null or an empty text takes a value away. Names that the integration does not ask for (`asks_for`) are " +
    "refused; it may be incomplete, and is not `ready` until nothing is `missing`. Without a body it is installed with neither.",
  params,
  body: z.object({
    params: smallJson(z.record(z.string().max(100), paramValue)).optional(),
    secrets: smallJson(z.record(z.string().max(100), z.string().max(20_000).nullable())).optional(),
  }),
  bodyOptional: true,
  status: 200,
  response: integration,
  errors: {
    ...unknown,
    409: "its secrets are being changed by somebody else",
    503: "encryption is not available",
  },
});

export const uninstallIntegration = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/integrations/{id}/uninstall",
  operationId: "uninstallIntegration",
  summary: "Uninstall an integration; what was stored with it is kept",
  description: "Installing it again needs nothing to be sent anew.",
  params,
  status: 200,
  response: integration,
  errors: unknown,
});

export const verifyIntegration = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/integrations/{id}/verify",
  operationId: "verifyIntegration",
  summary: "Try what is stored at the vendor",
  description:
    "Makes one harmless request there. What does not work is an answer, not an error: `ok` is false and `detail` says why, " +
    "also where something is missing, and where the vendor has no request without effect.",
  params,
  status: 200,
  response: z.object({ ok: z.boolean(), detail: z.string() }),
  errors: unknown,
});

const stub = (path: string, operationId: string) =>
  endpoint({
    ...slice,
    method: "get",
    path,
    operationId,
    summary: "Reserved: an empty list",
    description: "Kept for later; there is nothing to list yet.",
    status: 200,
    response: z.array(z.unknown()),
  });

export const listMcpConnections = stub("/api/v1/mcp-connections", "listMcpConnections");
export const listNativeTools = stub("/api/v1/native-tools", "listNativeTools");
