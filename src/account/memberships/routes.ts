import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";
import { joinMemberships } from "./join.ts";

export const memberships = new OpenAPIHono<AppEnv>();

serve(memberships, contract.joinMemberships, ({ c, body }) => joinMemberships(c, body.access_token));
