import { z } from "@hono/zod-openapi";
import { EXAMPLE_IDS } from "../../kernel/http/example-ids.ts";

export const accountName = z
  .string()
  .openapi({ description: "The account, as `X-Account-ID` names it.", example: "acme" });

/** The schema of an account to sign in to or to switch to. */
export const accountChoice = z
  .object({
    name: accountName,
    display_name: z.string().openapi({ description: "The account's display name.", example: "Acme Dental" }),
  })
  .openapi("AccountChoice");

/** The schema of a completed sign-in at any provider. */
export const session = z
  .object({
    access_token: z.string().openapi({
      description: "The console token, a JWT. Send it as `Authorization: Bearer` together with `X-Account-ID`.",
      example: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTlhYTViZCJ9.c2lnbmF0dXJl",
    }),
    refresh_token: z
      .string()
      .nullable()
      .openapi({
        description:
          "Valid once, for POST /api/session/refresh, which returns the next pair; null with an OIDC provider, where " +
          "you sign in again instead.",
        example: "eyJhbGciOiJFUzI1NiJ9.eyJzaWQiOiIwMTlhYTVjMyJ9.c2lnbmF0dXJl",
      }),
    token_type: z.literal("Bearer").openapi({ description: "How the token is sent." }),
    expires_in: z
      .number()
      .int()
      .openapi({ description: "The number of seconds for which the token is valid.", example: 3600 }),
    account: z.string().openapi({
      description: "The account that was signed in to. Send it as `X-Account-ID`.",
      example: "acme",
    }),
    accounts: z.array(accountChoice).openapi({
      description:
        "All accounts that the token opens, including the one that you signed in to. Select one with `X-Account-ID`.",
    }),
    user: z
      .object({
        id: z.string().openapi({
          description: "The user's id in every account that the token opens; the audit log shows it as `console:<id>`.",
          example: EXAMPLE_IDS.user,
        }),
        email: z.string().openapi({
          description: "The address that the user signed in with; may be empty with OIDC.",
          example: "ada@acme.example",
        }),
        name: z.string().openapi({ description: "The user's name; may be empty.", example: "Ada Byron" }),
      })
      .openapi({ description: "Who signed in." }),
  })
  .openapi("Session");
