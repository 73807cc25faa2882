import { z } from "@hono/zod-openapi";

/** What a sign-in gives, whichever provider it was at. */
export const session = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.number().int().openapi({ description: "Seconds." }),
    account: z.string(),
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
  })
  .openapi("Session");
