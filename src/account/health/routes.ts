import { OpenAPIHono } from "@hono/zod-openapi";
import { knowsItsAddress } from "../../kernel/http/base-url.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { answerHeader } from "../../kernel/http/headers.ts";
import { VERSION } from "../../kernel/http/openapi.ts";
import { serve } from "../../kernel/http/serve.ts";
import { lookUps } from "../../kernel/http/stores.ts";
import { wantsPage } from "../../kernel/http/wants-page.ts";
import * as contract from "./contract.ts";
import { readinessOf } from "./readiness.ts";

export const health = new OpenAPIHono<AppEnv>();

const LINKS = {
  console: "/console/",
  docs: "/docs",
  guides: "/docs/guides",
  openapi: "/openapi.json",
  api: "/api/v1",
  widget: "/widget.js",
  health: "/healthz",
  ready: "/readyz",
};

const INDEX = { name: "Switchboard", version: VERSION, links: LINKS };

serve(health, contract.getIndex, ({ c }) => {
  answerHeader(c, "vary", "accept");
  return wantsPage(c) ? c.redirect(LINKS.console, 302) : INDEX;
});

serve(health, contract.getApiIndex, () => INDEX);

serve(health, contract.getHealth, () => ({ ok: true }));

serve(health, contract.getReadiness, async ({ c, env }) => {
  const readiness = await readinessOf(env, lookUps(c));
  if (Object.values(readiness).every(({ ok }) => ok)) return readiness;
  const code = knowsItsAddress(env) ? "not_ready" : "public_url_missing";
  return c.json(readiness, 503, { "x-error-code": code });
});
