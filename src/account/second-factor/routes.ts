import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";
import { confirm, describeFactor, enroll, remove, renewRecoveryCodes } from "./verbs.ts";

export const secondFactor = new OpenAPIHono<AppEnv>();

serve(secondFactor, contract.getSecondFactor, ({ c }) => describeFactor(c));
serve(secondFactor, contract.enrollSecondFactor, ({ c, body }) => enroll(c, body.code));
serve(secondFactor, contract.confirmSecondFactor, ({ c, body }) => confirm(c, body.code));
serve(secondFactor, contract.renewRecoveryCodes, ({ c, body }) => renewRecoveryCodes(c, body.code));
serve(secondFactor, contract.removeSecondFactor, ({ c, body }) => remove(c, body.code));
