import { OpenAPIHono } from "@hono/zod-openapi";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/endpoint.ts";
import { getQuotas } from "./contract.ts";

export const quotas = new OpenAPIHono<AppEnv>();

serve(quotas, getQuotas, ({ env, store }) => accountGate(env, store.account).quotas());
