import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { timezone } from "../../kernel/http/fields.ts";
import { displayName } from "../account-names.ts";
import { accountName } from "../operators/contract.ts";

const settings = z.object({
  display_name: displayName,
  timezone: timezone.nullable().openapi({
    type: ["string", "null"],
    description:
      "The IANA time zone that the account's agents use if the contact, the campaign, the phone number and the " +
      "agent have none. Agents get the date and time there. Null (the default): UTC.",
    example: "Europe/Vienna",
  }),
});

const ownAccount = settings.extend({ name: accountName }).openapi("OwnAccount");

const slice = { access: "account", tag: "Account", path: "/api/v1/account" } as const;

export const getOwnAccount = endpoint({
  ...slice,
  method: "get",
  scope: ["read"],
  operationId: "getOwnAccount",
  summary: "Get the account's display name and time zone",
  description:
    "Returns the settings that the account itself can change. The operator sets its plan and limits (see " +
    "getQuotas).",
  revised: true,
  status: 200,
  response: ownAccount,
});

export const updateOwnAccount = endpoint({
  ...slice,
  method: "patch",
  scope: ["manage"],
  operationId: "updateOwnAccount",
  summary: "Change the account's display name or time zone",
  description:
    "Fields that are left out stay as they are. Conversations that begin afterwards use the new time zone. " +
    "Invitations and other messages always contain the account's name next to its display name.",
  body: settings.partial(),
  revised: true,
  status: 200,
  response: ownAccount,
});
