import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";
import { describeEndpoint, describeEvent } from "./describe.ts";
import { namedSchemas } from "./named-schemas.ts";
import { registerComponents } from "./openapi-components.ts";
import { addExamples, describeDefaults, nameBodies } from "./openapi-document.ts";
import { served } from "./serve.ts";

/** The version of the API in /openapi.json and at /. */
export const VERSION = "0.3.0";

/** SPDX has no identifier for software without a public license. */
const LICENSE = { name: "Proprietary", identifier: "LicenseRef-Proprietary" };

const DESCRIPTION = `The management plane of a voice-AI platform: agents and what they know, phone numbers and calls, outbound
campaigns, keys, and the embeddable widget.

**Signing in.** Every protected request carries \`Authorization: Bearer\` with either an API key (\`sk_live_…\`, which names
its account) or a console token (a JWT, together with \`X-Account-ID\`).

**Errors** are a plain JSON string; the header \`x-error-code\` names the error for programs. With
\`Accept: application/problem+json\` the same error is an RFC 9457 object, whose \`errors\` name every field that is
wrong, each with a \`code\` of its own. A query parameter that an endpoint does not know is an error (\`unknown_query_parameter\`). A field
of a body that it does not know is ignored, and the response header \`ignored-fields\` names it; with
\`Prefer: handling=strict\` it is an error (\`unknown_fields\`).

**Bodies** may be compressed with gzip or deflate (\`Content-Encoding\`); limits apply to the uncompressed body.

**Sizes.** An address has at most 16,384 characters (414 \`url_too_long\`), all headers 32,768 (431 \`headers_too_long\`), a query
parameter 4,096. JSON has at most 100,000 values, or 1,000 if nobody is signed in (\`too_many_values\`), and keys of 256 characters
(\`key_too_long\`). A body has 60 seconds to arrive, a list of contacts 30 minutes (408 \`body_too_slow\`).

**Retrying.** Reads, PUT, PATCH and DELETE can be repeated. A POST can be repeated with an \`Idempotency-Key\`: it is carried out once
and its response is returned again for 24 hours.

**Times** are ISO 8601 UTC with milliseconds, **ids** UUIDs. Every response carries \`x-request-id\`.

**Guides**, from the first agent to a runtime of your own, are at [/docs/guides](/docs/guides).`;

/**
 * Serves /openapi.json with every mounted endpoint, the description of each tag, and every event by type. The document
 * is built on the first request and then cached.
 */
export function serveOpenApi(
  app: OpenAPIHono<AppEnv>,
  tags: Record<string, string>,
  events: Record<string, z.ZodType>,
): void {
  let document: string | undefined;
  app.get("/openapi.json", (c) => {
    document ??= JSON.stringify(describe(app, tags, events));
    return c.body(document, 200, { "content-type": "application/json", "access-control-allow-origin": "*" });
  });
}

function describe(app: OpenAPIHono<AppEnv>, tags: Record<string, string>, events: Record<string, z.ZodType>) {
  registerComponents(app);
  for (const [name, schema] of namedSchemas) app.openAPIRegistry.register(name, schema);
  for (const endpoint of served) app.openAPIRegistry.registerPath(describeEndpoint(endpoint));
  for (const [type, schema] of Object.entries(events)) app.openAPIRegistry.registerWebhook(describeEvent(type, schema));
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Switchboard",
      version: VERSION,
      description: DESCRIPTION,
      contact: { name: "The operators of this service" },
      license: LICENSE,
    },
    servers: [
      { url: "/", description: "This host; /v1 is short for /api/v1" },
      { url: "/hub-api", description: "The same routes under the legacy prefix" },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  });
  return addExamples(describeDefaults(nameBodies(document)));
}
