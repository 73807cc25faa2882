import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { smallJson, timestamp, tried } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";

const requestedField = z
  .object({
    name: z.string().openapi({ description: "The name to send the value under.", example: "shop_domain" }),
    label: z.string().openapi({ description: "Its label in a form.", example: "Shop domain" }),
    required: z.boolean().openapi({ description: "Whether the integration needs it.", example: true }),
    description: z.string().openapi({
      description: "What it is and where to find it.",
      example: "The shop's address at Shopify, such as acme-dental.myshopify.com",
    }),
    decides_host: z.boolean().openapi({
      description:
        "Whether it decides to which host secrets are sent. Its value must lead to a host of the vendor, and " +
        "changing it removes all secrets that you don't send in the same request.",
      example: true,
    }),
  })
  .openapi("IntegrationField", { description: "A value that an integration requires." });
const paramValue = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: "must be text, a number, true or false, or null, which removes it",
});
const installStatus = z.enum(["installed", "available"]);
const integration = z
  .object({
    id: idOf("integration", "The integration's id in this account. Paths take it or the name."),
    name: z.string().openapi({
      description: "Its name in paths and in tools' configurations (`{{name.param}}`).",
      example: "shopify",
    }),
    display_name: z.string().openapi({ description: "The vendor's name.", example: "Shopify" }),
    description: z.string().openapi({
      description: "What tools can do with the integration.",
      example: "Orders, customers and returns of your shop.",
    }),
    category: z.string().openapi({ description: "The kind of service.", example: "ecommerce" }),
    status: installStatus.openapi({ description: "Whether the account has installed it." }),
    installed_at: timestamp
      .nullable()
      .openapi({ description: "When it was last installed (UTC); null while it is not installed." }),
    params: z.record(z.string(), z.unknown()).openapi({
      description: "The stored values that are not secret, by name; kept when it is uninstalled.",
      example: { shop_domain: "acme-dental.myshopify.com" },
    }),
    secret_names: z.array(z.string()).openapi({
      description: "The names of the secrets stored; never their values.",
      example: ["access_token"],
    }),
    auth: z.enum(["token", "oauth", "signature"]).openapi({
      description:
        "How the vendor authenticates programs. Only integrations that take a `token` that customers can create and store here can be " +
        "connected; those that need short-lived tokens (`oauth`) or signed requests (`signature`) ask for nothing and are never ready.",
    }),
    hosts: z.array(z.string()).openapi({
      description:
        "The hosts that its secrets may be sent to, over https unless a scheme is shown; tools that send them anywhere else are refused. `{param}` and `*` stand for a value that is not stored yet.",
      example: ["acme-dental.myshopify.com"],
    }),
    asks_for: z
      .object({
        params: z.array(requestedField).openapi({ description: "Values that are stored in plain text." }),
        secrets: z
          .array(requestedField)
          .openapi({ description: "Values that are stored encrypted and never returned." }),
      })
      .openapi({ description: "All values that you can send to installIntegration." }),
    any_secrets: z.boolean().openapi({
      description:
        "Whether it accepts secrets with any name: lowercase letters, digits and underscores, up to 50. Tools name " +
        "them as `{{custom_api.name}}`.",
      example: false,
    }),
    ready: z.boolean().openapi({
      description: "Whether it is installed with everything that it requires, so that tools that refer to it can run.",
      example: true,
    }),
    missing: z
      .array(z.string())
      .openapi({ description: "The names of the required params and secrets that are not stored.", example: [] }),
    reason: z.string().nullable().openapi({
      description: "Why it is not ready, in a sentence; null if it is.",
      example: null,
    }),
  })
  .openapi("Integration");

const slice = { access: "account", tag: "Integrations" } as const;
const params = z.object({
  id: z.string().openapi({ description: "The integration's id, or its name.", example: "shopify" }),
});
const unknown = { 404: "unknown integration" };

export const listIntegrations = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/integrations",
  scope: ["read"],
  operationId: "listIntegrations",
  summary: "List the catalog of integrations, and which are installed",
  description: "Returns the catalog: the values that each integration requires, and whether it is installed.",
  query: z.object({
    category: z.string().optional().openapi({
      description: "Only integrations of exactly this category.",
      example: "ecommerce",
    }),
    status: installStatus
      .optional()
      .openapi({ description: "Only installed integrations, or only those that are not." }),
  }),
  kept: true,
  status: 200,
  response: listOf("integrations", integration).extend({
    categories: z.record(z.string(), z.number().int()).openapi({
      description: "How many of the integrations that match `status` each category has.",
      example: { ecommerce: 1 },
    }),
  }),
});

export const getIntegration = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/integrations/{id}",
  scope: ["read"],
  operationId: "getIntegration",
  summary: "Get an integration",
  description: "Looks up the integration by its id or name, with the values that it requires.",
  params,
  kept: true,
  revised: true,
  status: 200,
  response: integration,
  errors: unknown,
});

export const installIntegration = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/integrations/{id}/install",
  scope: ["connect"],
  operationId: "installIntegration",
  summary: "Install an integration; values that you don't send stay as they are",
  description:
    "`params` are stored in plain text; `secrets` are encrypted and never returned. The values are added to the " +
    "stored ones, name by name; null or an empty text removes a value. Names that are not in `asks_for` are " +
    "refused. An integration can be incomplete; it is `ready` when nothing is `missing`. A param that decides " +
    "the host (`decides_host`) must lead to a host of the vendor, otherwise you get 400 `invalid_host`. Changing " +
    "it removes the stored secrets, so send them in the same request. Without a body, the integration is " +
    "installed without values. If an agent has an enabled tool that uses the integration, you also need `listen` " +
    "to change params, send a new secret or install it again, because these decide where callers' words are sent.",
  params,
  body: z.object({
    params: smallJson(z.record(z.string().max(100), paramValue))
      .optional()
      .openapi({
        description:
          "Values by name, as listed in `asks_for.params`; up to 64 KB. Null or an empty text removes a value.",
        example: { shop_domain: "acme-dental.myshopify.com" },
      }),
    secrets: smallJson(z.record(z.string().max(100), z.string().max(20_000).nullable()))
      .optional()
      .openapi({
        description:
          "Secrets by name, as listed in `asks_for.secrets`; up to 64 KB. Null or an empty text removes a secret.",
        example: { access_token: "shpat_0123456789abcdef" },
      }),
  }),
  bodyOptional: true,
  revised: true,
  status: 200,
  response: integration,
  errors: {
    ...unknown,
    409: "another request is changing its secrets",
    503: "encryption is not available",
  },
});

export const uninstallIntegration = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/integrations/{id}/uninstall",
  scope: ["connect"],
  operationId: "uninstallIntegration",
  summary: "Uninstall an integration; its stored values are kept",
  description: "You can install it again without sending its values.",
  params,
  status: 200,
  response: integration,
  errors: unknown,
});

export const verifyIntegration = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/integrations/{id}/verify",
  scope: ["connect"],
  operationId: "verifyIntegration",
  summary: "Verify an integration's stored values with the vendor",
  description:
    "Sends one request without side effects to the vendor. If something is missing or does not work, or the " +
    "vendor has no such request, the response is not an error: `ok` is false and `detail` says why.",
  params,
  status: 200,
  response: tried,
  errors: unknown,
});

const stub = (path: string, operationId: string) =>
  endpoint({
    ...slice,
    method: "get",
    path,
    scope: ["read"],
    operationId,
    summary: "Reserved: an empty list",
    description: "Reserved for future use. The list is always empty.",
    status: 200,
    response: z.array(z.unknown()).openapi("ReservedList", { description: "Empty for now.", example: [] }),
  });

export const listMcpConnections = stub("/api/v1/mcp-connections", "listMcpConnections");
export const listNativeTools = stub("/api/v1/native-tools", "listNativeTools");
