import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";

const slice = { method: "get", access: "public", tag: "Health" } as const;

const check = z
  .object({ ok: z.boolean(), ms: z.number().int().openapi({ description: "How long the look took." }) })
  .openapi("Check");

/** What the service cannot do its work without. */
export const readiness = z
  .object({
    d1: check.openapi({ description: "The database answers." }),
    gate: check.openapi({ description: "An account's gate answers, which lets every request in." }),
    encryption: check.openapi({ description: "Secrets can be sealed and opened." }),
    signing: check.openapi({ description: "Tokens can be signed and verified." }),
    runtime: check.openapi({
      description: "The service knows its own address, and there is a media runtime for calls to be connected to.",
    }),
  })
  .openapi("Readiness");

/** Where everything is that has an address of its own. */
const links = z.object({
  docs: z.string(),
  guides: z.string(),
  openapi: z.string(),
  api: z.string(),
  widget: z.string(),
  health: z.string(),
  ready: z.string(),
});

export const getIndex = endpoint({
  ...slice,
  path: "/",
  extraQuery: "ignored",
  operationId: "getIndex",
  summary: "Tell what is where",
  description: "Paths at this host. A browser, which asks for HTML, is sent to the reference instead.",
  status: 200,
  response: z.object({ name: z.string(), version: z.string(), links }).openapi("Index"),
  others: { 302: { description: "For who asks for a page: go on there." } },
});

export const getHealth = endpoint({
  ...slice,
  path: "/healthz",
  operationId: "getHealth",
  summary: "Tell that the service is up",
  description: "Looks at nothing else, so that it costs nothing.",
  status: 200,
  response: z.object({ ok: z.literal(true) }),
});

export const getReadiness = endpoint({
  ...slice,
  limit: "public",
  path: "/readyz",
  operationId: "getReadiness",
  summary: "Tell whether the service can do its work",
  description: "Each part by itself. What was found is told again for five seconds.",
  status: 200,
  response: readiness,
  errors: {
    503: "a part is not ready; the body is as with 200, and x-error-code `public_url_missing` where that is why, else `not_ready`",
  },
});
