import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, timestamp } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { secretText } from "../../kernel/http/secret-fields.ts";
import { newPassword } from "../auth/password-rule.ts";
import { session } from "../auth/session.ts";
import { mailed, role } from "../members/contract.ts";

const slice = { access: "console", tag: "Members", scope: ["manage"] } as const;
const invitationId = idOf("invitation", "The invitation's id.");
const params = z.object({ id: invitationId });
const email = z.string().openapi({
  description: "The invited address, in lower case. An address can have one invitation.",
  example: "grace@acme.example",
});
const expiresAt = timestamp.openapi({
  description: "The time until which the link is valid (UTC), 7 days after it was last sent.",
  example: "2026-11-28T09:30:00.000Z",
});
const exceeds = "the role exceeds yours (`exceeds_own`)";

const sent = z
  .object({
    id: invitationId,
    email,
    role,
    expires_at: expiresAt,
    url: secretText({
      description: "The link for the invited person. It is not stored anywhere.",
      example: "https://switchboard.example/console/accept#acme.mZ0bqXJ3v1s8Yw5TgK2uNc7RfA4dLeHpV9oIxQyBtUk",
    }),
    mailed,
  })
  .openapi("SentInvitation");

export const listInvitations = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/invitations",
  operationId: "listInvitations",
  summary: "List the invitations that were not accepted yet",
  description:
    "Ordered by email address. Includes expired invitations, which can be sent again for about 30 days. Requires " +
    "a console sign-in.",
  status: 200,
  response: listOf(
    "invitations",
    z
      .object({
        id: invitationId,
        email,
        role,
        invited_by: z.string().openapi({
          description: "The id of the member who invited, or who last sent the invitation again.",
          example: EXAMPLE_IDS.user,
        }),
        created_at: createdAt,
        expires_at: expiresAt,
      })
      .openapi("Invitation"),
  ),
});

export const createInvitation = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/invitations",
  operationId: "createInvitation",
  summary: "Invite a person to the account",
  description:
    "Requires a console sign-in. The response contains the link, which works once, within 7 days. It is also " +
    "mailed if the deployment sends mail. Only owners can invite owners, and no member can invite with a role " +
    "that exceeds their own. An invitation ends when its inviter loses that right or is removed.",
  body: z.object({
    email: z
      .email()
      .max(254)
      .transform((address) => address.toLowerCase())
      .openapi({ description: "The email address to invite, in upper or lower case.", example: "grace@acme.example" }),
    role,
  }),
  status: 201,
  response: sent,
  errors: {
    403: exceeds,
    409:
      "the address is already invited (`already_invited`: send that invitation again) or belongs to a member " +
      "(`already_member`), or 100 invitations are open (`too_many_invitations`)",
    503: "PUBLIC_URL is not configured",
  },
});

export const resendInvitation = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/invitations/{id}/resend",
  operationId: "resendInvitation",
  summary: "Send an invitation again, with a new link",
  description:
    "Requires a console sign-in. The new link is valid for 7 days and replaces the earlier one. The caller " +
    "becomes the inviter.",
  params,
  status: 200,
  response: sent,
  errors: { 403: exceeds, 404: "unknown or accepted invitation", 503: "PUBLIC_URL is not configured" },
});

export const deleteInvitation = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/invitations/{id}",
  operationId: "deleteInvitation",
  summary: "Withdraw an invitation",
  description: "Requires a console sign-in. Its link is refused from the next request on.",
  params,
  status: 204,
  errors: { 403: exceeds, 404: "unknown or accepted invitation" },
});

const token = z.string().max(256).openapi({
  description: "The part after # in the link's address.",
  example: "acme.mZ0bqXJ3v1s8Yw5TgK2uNc7RfA4dLeHpV9oIxQyBtUk",
});
const noInvitation = "the invitation is unknown, withdrawn, accepted or expired; the response is the same for all";

export const lookUpInvitation = endpoint({
  method: "post",
  path: "/api/invitations/lookup",
  access: "public",
  scope: [],
  limit: "public",
  tag: "Members",
  operationId: "lookUpInvitation",
  summary: "See an invitation by the token of its link",
  description:
    "For the page that the link opens. The token is in the body, because addresses end up in logs. The invitation stays open.",
  body: z.object({ token }),
  status: 200,
  response: z
    .object({
      account: z.string().openapi({ description: "The account, as `X-Account-ID` names it.", example: "acme" }),
      account_name: z.string().openapi({ description: "The account's display name.", example: "Acme Dental" }),
      email,
      role,
      invited_by: z.string().openapi({
        description: "The inviter's name, or their email address if they have none.",
        example: "Ada Byron",
      }),
      expires_at: expiresAt,
    })
    .openapi("OpenInvitation"),
  errors: { 403: "account is disabled", 404: noInvitation },
});

export const acceptInvitation = endpoint({
  method: "post",
  path: "/api/invitations/accept",
  access: "public",
  scope: [],
  limit: "public",
  tag: "Members",
  operationId: "acceptInvitation",
  summary: "Accept an invitation: become a member, and sign in",
  description:
    "Makes the invited address a member with this name and password, and returns the same as login. An " +
    "invitation works once. Members of other accounts with the same address are not affected.",
  body: z.object({
    token,
    name: z.string().trim().max(200).openapi({
      description: "The member's name, up to 200 characters; may be empty.",
      example: "Grace Hopper",
    }),
    password: newPassword,
  }),
  status: 200,
  response: session,
  errors: {
    400: "the password is easily guessed (`weak_password`)",
    403: "account is disabled",
    404: `${noInvitation}; or the embedded identity provider is off`,
    409: "the address already belongs to a member (`already_member`): sign in",
    429: "too many invalid links: try again after Retry-After",
    503: "no signing key is configured",
  },
});
