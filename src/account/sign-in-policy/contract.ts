import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { MOST_IDLE_MINUTES, MOST_SESSION_HOURS } from "./policy.ts";

/** A shorter idle time would end a session between two renewals. */
const FEWEST_IDLE_MINUTES = 5;

const policy = z
  .object({
    require_second_factor: z.boolean().openapi({
      description:
        "Whether all users need a second factor. A session without one can then only set one up " +
        "(`second_factor_missing`). Default: false.",
      example: true,
    }),
    session_hours: z.number().int().min(1).max(MOST_SESSION_HOURS).openapi({
      description: "How many hours after the sign-in a session ends, at most 12 (the default).",
      example: 8,
    }),
    idle_minutes: z.number().int().min(FEWEST_IDLE_MINUTES).max(MOST_IDLE_MINUTES).openapi({
      description: "The minutes without use after which a session ends, from 5 to 120 (the default).",
      example: 30,
    }),
  })
  .openapi("SignInPolicy");

const slice = { access: "console", tag: "Sign-in policy", path: "/api/v1/sign-in-policy" } as const;

export const getSignInPolicy = endpoint({
  ...slice,
  scope: ["read"],
  method: "get",
  operationId: "getSignInPolicy",
  summary: "Get the account's rules for console sessions",
  description: "Returns the rules for users who sign in to the account with a password.",
  status: 200,
  response: policy,
});

export const updateSignInPolicy = endpoint({
  ...slice,
  scope: ["manage"],
  method: "patch",
  operationId: "updateSignInPolicy",
  summary: "Change the account's rules for console sessions",
  description:
    "Fields that are left out stay as they are. Stricter rules apply at once, also to current sessions: sessions " +
    "that are too old or were unused for too long end. Users of another identity provider need no second factor " +
    "here.",
  body: policy.partial(),
  status: 200,
  response: policy,
});
