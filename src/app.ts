import { OpenAPIHono } from "@hono/zod-openapi";
import { accounts } from "./accounts/routes.ts";
import { agents } from "./agents/routes.ts";
import { apiKeys } from "./api-keys/routes.ts";
import { Directory } from "./db/directory.ts";
import { aliasedPath } from "./http/aliases.ts";
import type { AppEnv } from "./http/context.ts";
import { renderError } from "./http/errors.ts";
import { unmatched } from "./http/unmatched.ts";
import { widget } from "./widget/routes.ts";

/** The whole service: every slice behind one door. */
export const app = new OpenAPIHono<AppEnv>({ getPath: aliasedPath });

app.use(async (c, next) => {
  c.set("requestId", crypto.randomUUID());
  c.set("now", Date.now());
  c.set("directory", new Directory((c.env as Env).DB));
  await next();
  c.header("x-request-id", c.get("requestId"));
  c.header("x-content-type-options", "nosniff");
});

for (const slice of [accounts, apiKeys, agents, widget]) app.route("/", slice);

app.notFound((c) => unmatched(c, app.routes));
app.onError(renderError);
