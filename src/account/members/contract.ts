import { z } from "@hono/zod-openapi";
import { USER_SOURCES } from "../../kernel/db/schema/index.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS } from "../../kernel/http/example-ids.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";
import { ROLES } from "../../kernel/scopes.ts";
import { ROLE_WORDS } from "../roles.ts";

export const role = z.enum(ROLES).openapi({
  description: `The member's role: ${ROLES.map((one) => `\`${one}\` may ${ROLE_WORDS[one]}`).join("; ")}.`,
  example: "builder",
});
export const mailed = z.boolean().openapi({
  description: "Whether the link was also mailed. False if the deployment sends no mail, or sending failed.",
  example: true,
});
const memberId = z.string().max(255).openapi({
  description: "The member's id; for members of an OIDC provider its `sub`. The audit log shows it as `console:<id>`.",
  example: EXAMPLE_IDS.user,
});

const member = z
  .object({
    id: memberId,
    email: z.string().openapi({
      description: "The member's address, in lower case; unique in the account.",
      example: "ada@acme.example",
    }),
    name: z.string().openapi({ description: "The member's name; may be empty.", example: "Ada Byron" }),
    role,
    source: z.enum(USER_SOURCES).openapi({
      description: "How the member signs in: with a `password` kept here, or at the `oidc` provider.",
      example: "password",
    }),
    second_factor: z.boolean().openapi({
      description: "Whether the member has a second factor here. Always false for `oidc`: the provider has its own.",
      example: true,
    }),
    last_seen_at: timestamp.nullable().openapi({
      description: "When the member was last seen (UTC), as far as known: a request, a sign-in, or a recorded act.",
      example: "2026-11-21T10:05:12.480Z",
    }),
  })
  .openapi("Member");

const slice = { access: "console", tag: "Members", scope: ["manage"] } as const;
const params = z.object({ id: memberId });
const lastOwner = "the account would be left without an owner who can sign in (`last_owner`)";

export const listMembers = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/members",
  operationId: "listMembers",
  summary: "List the account's members",
  description:
    "Returns all people who may sign in to the account, ordered by email address. Requires a console sign-in.",
  status: 200,
  response: listOf("members", member),
});

export const updateMember = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/members/{id}",
  operationId: "updateMember",
  summary: "Change a member's role; takes effect with the next request",
  description:
    "Requires a console sign-in. Only owners can make owners, and no member can grant or change a role that " +
    "exceeds their own. Streams, tickets and signed addresses opened under the old role end. The member's " +
    "reset link ends too, and so do the invitations and reset links that they created and that the new role does not " +
    "cover.",
  params,
  body: z.object({ role }),
  status: 200,
  response: member,
  errors: {
    403: "the member's role or the new one exceeds yours (`exceeds_own`)",
    404: "unknown member",
    409: lastOwner,
  },
});

export const removeMember = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/members/{id}",
  operationId: "removeMember",
  summary: "Remove a member; takes effect with the next request",
  description:
    "Requires a console sign-in. Every session of the member ends, with the streams, uploads and conversations " +
    "that are live through it, and so do the invitations and reset links they created. API keys that they " +
    "created continue to work unless you send `keys=disable`.",
  params,
  query: z.object({
    keys: z.enum(["keep", "disable"]).default("keep").openapi({
      description: "What to do with the API keys that the member created: `keep` them (the default) or `disable` them.",
      example: "disable",
    }),
  }),
  status: 204,
  errors: { 403: "the member's role exceeds yours (`exceeds_own`)", 404: "unknown member", 409: lastOwner },
});

export const createResetLink = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/members/{id}/reset-link",
  operationId: "createResetLink",
  summary: "Create a link that lets a member set a new password",
  description:
    "Requires a console sign-in. The link works once, within an hour, and replaces the member's earlier link. It " +
    "is also mailed to the member if the deployment sends mail. The member's password and sessions stay until it " +
    "is used.",
  params,
  status: 201,
  response: z
    .object({
      url: secretText({
        description: "The link for the member. It is not stored anywhere.",
        example: "https://switchboard.example/console/reset-password#acme.mZ0bqXJ3v1s8Yw5TgK2uNc7RfA4dLeHpV9oIxQyBtUk",
      }),
      expires_at: timestamp.openapi({
        description: "The time until which the link is valid (UTC).",
        example: "2026-11-21T10:30:00.000Z",
      }),
      mailed,
    })
    .openapi("ResetLink"),
  errors: {
    403:
      "the member's role exceeds yours (`exceeds_own`); the link would be your own (`own_password`: change your " +
      "password with the current one); or an identity provider keeps the password (`external_identity`)",
    404: "unknown member",
    503: "PUBLIC_URL is not configured",
  },
});
