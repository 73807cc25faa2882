import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { named } from "../../kernel/http/named-schemas.ts";

/** As with every operation, a host that is missing from ALLOWED_HOSTS is refused if that list is set. */
const elsewhere = { 421: "the service does not serve this host" } as const;
const slice = { method: "get", access: "public", tag: "Health" } as const;

const check = named(
  "Check",
  "The state of a part of the service.",
  z.object({
    ok: z.boolean().openapi({ description: "Whether this part works.", example: true }),
    ms: z.number().int().openapi({ description: "How long the check took, in milliseconds.", example: 3 }),
  }),
);

/** The parts that the service depends on. */
export const readiness = z
  .object({
    d1: check.openapi({ description: "The database answers." }),
    migrations: check.openapi({
      description: "The database has every migration of this release, unchanged.",
    }),
    storage: check.openapi({ description: "The buckets of recordings and transcripts respond." }),
    gate: check.openapi({ description: "The gate of an account, which admits its requests, responds." }),
    ledger: check.openapi({ description: "The ledger of calls and conversations responds." }),
    events: check.openapi({ description: "The sequence of events responds." }),
    encryption: check.openapi({ description: "Secrets can be sealed and opened." }),
    signing: check.openapi({ description: "Tokens can be signed and verified." }),
    runtime: check.openapi({
      description: "The service knows its own address, and there is a media runtime for calls.",
    }),
  })
  .openapi("Readiness");

/** Returns the schema of the address of a part of the service. */
const path = (description: string, example: string) => z.string().openapi({ description, example });
const links = z.object({
  console: path("The console, for people.", "/console/"),
  docs: path("This reference, for people.", "/docs"),
  guides: path("Guides, from the first agent on.", "/docs/guides"),
  openapi: path("This reference, for programs.", "/openapi.json"),
  api: path("The common prefix of all account operations.", "/api/v1"),
  widget: path("The script that shows the widget on a page.", "/widget.js"),
  health: path("Whether the service is up.", "/healthz"),
  ready: path("Whether the service is ready.", "/readyz"),
});

const index = z
  .object({
    name: z.string().openapi({ description: "What this service is.", example: "Switchboard" }),
    version: z.string().openapi({ description: "The version of its interface.", example: "0.3.0" }),
    links: links.openapi({ description: "Paths at this host." }),
  })
  .openapi("Index");

export const getIndex = endpoint({
  ...slice,
  path: "/",
  extraQuery: "ignored",
  scope: [],
  operationId: "getIndex",
  summary: "List the service's entry points",
  description: "Paths at this host. A browser, which asks for HTML, is sent to the console instead.",
  status: 200,
  response: index,
  others: { 302: { description: "For browsers: a redirect to the console." } },
  errors: elsewhere,
});

export const getApiIndex = endpoint({
  ...slice,
  path: "/api/v1",
  scope: [],
  operationId: "getApiIndex",
  summary: "List the service's entry points, at the API's own address",
  description: "Returns the same as `/`, at the address that API clients use. It requires no token.",
  status: 200,
  response: index,
  errors: elsewhere,
});

export const getHealth = endpoint({
  ...slice,
  path: "/healthz",
  scope: [],
  operationId: "getHealth",
  summary: "Check that the service is up",
  description: "Checks nothing else, so it costs nothing.",
  status: 200,
  errors: elsewhere,
  response: z.object({ ok: z.literal(true).openapi({ description: "Always true." }) }),
});

export const getReadiness = endpoint({
  ...slice,
  limit: "public",
  path: "/readyz",
  scope: [],
  operationId: "getReadiness",
  summary: "Check whether the service is ready",
  description: "Checks each part separately, for at most three seconds. Results are reused for five seconds.",
  status: 200,
  response: readiness,
  errors: {
    503: "a part is not ready; the body is as with 200, and x-error-code is `public_url_missing` if that is the reason, otherwise `not_ready`",
  },
});
