import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";

const DESCRIPTION = `The management plane of a voice-AI platform: agents and what they know, phone numbers and calls, outbound
campaigns, keys, and the embeddable widget.

**Signing in.** Every protected request carries \`Authorization: Bearer\` with either an API key (\`sk_live_…\`, which names
its account) or a console token (a JWT, together with \`X-Account-ID\`).

**Errors** are a plain JSON string; the header \`x-error-code\` names the error for programs. With
\`Accept: application/problem+json\` the same error comes as an RFC 9457 object.

**Times** are ISO 8601 UTC with milliseconds, **ids** UUIDs. Every response carries \`x-request-id\`.`;

/** Serves the description of every mounted endpoint at /openapi.json. It is built when first asked for, and once. */
export function serveOpenApi(app: OpenAPIHono<AppEnv>): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    ...{ type: "http", scheme: "bearer", bearerFormat: "sk_live_<account>_<rest>" },
    description: "An API key; the account is in its prefix.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "console", {
    ...{ type: "http", scheme: "bearer", bearerFormat: "JWT" },
    description: "A console token from /api/login; name the account in X-Account-ID.",
  });
  let document: string | undefined;
  app.get("/openapi.json", (c) => {
    document ??= JSON.stringify(describe(app));
    return c.body(document, 200, { "content-type": "application/json", "access-control-allow-origin": "*" });
  });
}

function describe(app: OpenAPIHono<AppEnv>) {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Switchboard", version: "0.2.0", description: DESCRIPTION },
    servers: [
      { url: "/", description: "This host; /v1 is short for /api/v1" },
      { url: "/hub-api", description: "The same routes under the legacy prefix" },
    ],
  });
  const operations = Object.values(document.paths ?? {}).flatMap(
    (path) => Object.values(path) as { tags?: string[] }[],
  );
  const tags = [...new Set(operations.flatMap(({ tags }) => tags ?? []))];
  return { ...document, tags: tags.map((name) => ({ name })) };
}
