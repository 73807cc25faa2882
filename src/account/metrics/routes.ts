import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, Door } from "../../kernel/http/context.ts";
import { badToken, notFound } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { serve } from "../../kernel/http/serve.ts";
import { lookUps } from "../../kernel/http/stores.ts";
import { sameSecret } from "../../kernel/secrets/hashing.ts";
import * as contract from "./contract.ts";
import { EXPOSITION, exposition } from "./exposition.ts";

export const metrics = new OpenAPIHono<AppEnv>();

/** Admits operators' tokens, as every operators' endpoint does. */
const FOR_OPERATOR_TOKENS: Door = { access: "operator", scope: [], operatorScopes: ["metrics"] };

serve(metrics, contract.getMetrics, async ({ c, now }) => {
  const shown = c.req.header("authorization") ?? "";
  if (/^Bearer +op_live_/i.test(shown)) await c.get("admissions").account(c, FOR_OPERATOR_TOKENS);
  else await assertMetricsToken(c, shown);
  return new Response(exposition(await lookUps(c).metrics(now)), { headers: { "content-type": EXPOSITION } });
});

/** @throws ApiError 404 if the deployment has no metrics token, 401 if this token differs from it */
async function assertMetricsToken(c: Context<AppEnv>, shown: string): Promise<void> {
  const { METRICS_TOKEN } = c.env;
  if (!METRICS_TOKEN) throw notFound("page");
  refuseBlocked(c, "authentication");
  if (!(await sameSecret(shown, `Bearer ${METRICS_TOKEN}`))) {
    await countFailure(c, "authentication");
    throw badToken();
  }
}
