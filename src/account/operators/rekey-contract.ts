import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { operator } from "./contract.ts";

export const rekey = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/rekey",
  scope: [],
  operationId: "reencryptSecrets",
  summary: "Re-encrypt every stored secret with the first of ENCRYPTION_KEYS",
  description: "Call this after you put a new key first. Once `failed` and `left` are 0, you can remove the old key.",
  status: 200,
  response: z.object({
    resealed: z.number().int().openapi({ description: "How many secrets were re-encrypted.", example: 412 }),
    failed: z.number().int().openapi({
      description: "The number of secrets that no configured key can decrypt; they don't change.",
      example: 0,
    }),
    left: z.number().int().openapi({ description: "How many remain; call again until it is 0.", example: 0 }),
  }),
  errors: { 503: "encryption is not available" },
});
