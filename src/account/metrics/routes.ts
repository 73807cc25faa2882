import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { badToken, notFound } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { serve } from "../../kernel/http/serve.ts";
import { lookUps } from "../../kernel/http/stores.ts";
import { sameSecret } from "../../kernel/secrets/hashing.ts";
import * as contract from "./contract.ts";
import { EXPOSITION, exposition } from "./exposition.ts";

export const metrics = new OpenAPIHono<AppEnv>();

serve(metrics, contract.getMetrics, async ({ c, env, now }) => {
  if (!env.METRICS_TOKEN) throw notFound("page");
  refuseBlocked(c, "authentication");
  const shown = c.req.header("authorization") ?? "";
  if (!(await sameSecret(shown, `Bearer ${env.METRICS_TOKEN}`))) {
    await countFailure(c, "authentication");
    throw badToken();
  }
  return new Response(exposition(await lookUps(c).metrics(now)), { headers: { "content-type": EXPOSITION } });
});
