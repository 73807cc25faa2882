import { OpenAPIHono } from "@hono/zod-openapi";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import { nextUtcDay } from "./call-caps.ts";
import { getCallLimits } from "./contract.ts";

export const callLimits = new OpenAPIHono<AppEnv>();

serve(callLimits, getCallLimits, async ({ env, store, now }) => {
  const { plan, caps, campaign_slots, usage } = await accountMeter(env, store.account).usage();
  const time = (ms: number) => new Date(ms).toISOString();
  return {
    plan,
    concurrent_calls: { limit: caps.concurrent_calls, used: usage.concurrent },
    inbound_reserve: caps.concurrent_calls - campaign_slots,
    calls_per_minute: {
      limit: caps.calls_per_minute,
      used: usage.lastMinute,
      resets_at: time((usage.oldestInMinute ?? now) + MINUTE_MS),
    },
    calls_per_day: { limit: caps.calls_per_day, used: usage.today, resets_at: time(nextUtcDay(now)) },
  };
});
