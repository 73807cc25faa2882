import { OpenAPIHono } from "@hono/zod-openapi";
import { accountGate, accountMeter, knowledgeBase } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import { eachQuota, type QuotaName } from "../plan/quotas.ts";
import { getQuotas } from "./contract.ts";

export const quotas = new OpenAPIHono<AppEnv>();

serve(quotas, getQuotas, async ({ env, store: { account } }) => {
  const [{ plan, quotas: atGate }, live, ofKnowledge] = await Promise.all([
    accountGate(env, account).quotas(),
    accountMeter(env, account).liveUse(),
    knowledgeBase(env, account).use(),
  ]);
  const ofMeter: Partial<Record<QuotaName, number>> = Object.assign({}, ofKnowledge, live);
  return {
    plan,
    quotas: eachQuota((name) => ({ limit: atGate[name].limit, used: ofMeter[name] ?? atGate[name].used })),
  };
});
