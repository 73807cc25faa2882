import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, label, timestamp } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { OPERATOR_SCOPE_WORDS, OPERATOR_SCOPES } from "../../kernel/scopes.ts";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";
import { MAX_NETWORKS, networks } from "../allowed-addresses.ts";
import { operator } from "./contract.ts";

const MOST_TOKEN_DAYS = 90;

const tokenId = idOf("operatorToken", "The token's id; the audit log shows it as `operator_token:<id>`.");
const name = label.openapi({
  description: "The token's name, up to 200 characters; need not be unique.",
  example: "Nightly backup",
});
const scopes = z
  .array(z.enum(OPERATOR_SCOPES))
  .min(1, "name at least one scope")
  .max(OPERATOR_SCOPES.length)
  .openapi({
    description: `The token's scopes: ${OPERATOR_SCOPES.map((scope) => `\`${scope}\` (${OPERATOR_SCOPE_WORDS[scope]})`).join(", ")}.`,
    example: ["backup"],
  });
const accounts = z
  .array(z.string().regex(ACCOUNT_NAME, "must be an account name"))
  .min(1, "name at least one account, or leave it out for all")
  .max(100)
  .nullable()
  .openapi({
    description:
      "The accounts that the token is limited to, up to 100; any other is refused with 403 `account_not_allowed`. " +
      "Null for all. Cannot be combined with `metrics`, which is about all accounts together.",
    example: null,
  });
const allowedAddresses = networks("name at least one address").openapi({
  type: "array",
  items: { type: "string" },
  minItems: 1,
  maxItems: MAX_NETWORKS,
  description:
    "The IP addresses and networks (CIDR) from which the token is accepted, up to 100; from others it is refused " +
    "with 403 `address_not_allowed`.",
  example: ["203.0.113.7"],
});

/** The fields of a token's permissions. They are in the response to its creation and in later ones. */
const terms = {
  last8: z.string().openapi({ description: "The token's last eight characters.", example: "x7Qm2RtZ" }),
  scopes,
  accounts,
  allowed_addresses: z.array(z.string()).openapi({
    description: "The IP addresses and networks (CIDR) from which the token is accepted.",
    example: ["203.0.113.7/32"],
  }),
  created_at: createdAt,
  created_by: z.string().openapi({
    description: "The id of the operator who created it. Removing that operator leaves the token as it is.",
    example: EXAMPLE_IDS.user,
  }),
  expires_at: timestamp.openapi({
    description: "When the token expires (UTC). It is refused from then on.",
    example: "2027-02-19T09:30:00.000Z",
  }),
};

const operatorToken = z
  .object(
    Object.assign({ id: tokenId, name }, terms, {
      last_used_at: timestamp.nullable().openapi({
        description: "When the token was last used (UTC), to about a minute; null if never.",
      }),
    }),
  )
  .openapi("OperatorToken");

export const listOperatorTokens = endpoint({
  ...operator,
  method: "get",
  path: "/api/admin/v1/tokens",
  scope: [],
  operationId: "listOperatorTokens",
  summary: "List operator tokens, newest first, without the tokens themselves",
  description: "Tokens of jobs that run without a person. Expired ones stay listed until they are deleted.",
  status: 200,
  response: listOf("tokens", operatorToken),
});

export const createOperatorToken = endpoint({
  ...operator,
  method: "post",
  path: "/api/admin/v1/tokens",
  scope: [],
  operationId: "createOperatorToken",
  summary: "Create an operator token; only this response contains its plain text",
  description:
    "For a job that runs without a person, such as the nightly backup: the token needs no second factor, and " +
    "only opens what its scopes allow at `/api/admin/v1` and `/metrics`. Requires a console sign-in.",
  body: z.object({
    name,
    scopes,
    accounts: accounts.default(null),
    allowed_addresses: allowedAddresses,
    expires_in_days: z
      .number()
      .int()
      .min(1)
      .max(MOST_TOKEN_DAYS)
      .default(MOST_TOKEN_DAYS)
      .openapi({
        description: `The number of days after which the token expires, from 1 to ${MOST_TOKEN_DAYS}.`,
        example: 30,
      }),
  }),
  status: 201,
  response: z
    .object(
      Object.assign({ id: tokenId, name }, terms, {
        token: z.string().openapi({
          description:
            "The token itself, to be sent as `Authorization: Bearer`, without `X-Account-ID`. It is not stored anywhere: save it now.",
          example: "op_live_4KpT0wQ9bVx3nYsE7uJc1LfZ6mRgAh5D2tx7Qm2RtZ",
        }),
      }),
    )
    .openapi("CreatedOperatorToken"),
  errors: { 400: "an account that does not exist, or `metrics` together with `accounts`" },
});

export const deleteOperatorToken = endpoint({
  ...operator,
  method: "delete",
  path: "/api/admin/v1/tokens/{id}",
  scope: [],
  operationId: "deleteOperatorToken",
  summary: "Revoke an operator token; takes effect with the next request",
  description: "The token stops working at once. Its actions stay in the audit log under its name.",
  params: z.object({ id: tokenId }),
  status: 204,
  errors: { 404: "unknown token" },
});
