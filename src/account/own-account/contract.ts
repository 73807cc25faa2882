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
      "The IANA time zone of the people that the account's agents talk to, where neither a contact, a campaign, a phone " +
      "number nor the agent tells theirs. Agents are told the date and time there. Null (the default): UTC.",
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
  summary: "Get the account's name for people and its time zone",
  description: "What the account itself can change. Its plan and its limits are the operator's (see getQuotas).",
  revised: true,
  status: 200,
  response: ownAccount,
});

export const updateOwnAccount = endpoint({
  ...slice,
  method: "patch",
  scope: ["manage"],
  operationId: "updateOwnAccount",
  summary: "Change the account's name for people or its time zone",
  description:
    "Fields that are left out stay as they are. Conversations that begin afterwards are told the time of the new zone. " +
    "In invitations and other messages the account's own name always stands beside its name for people.",
  body: settings.partial(),
  revised: true,
  status: 200,
  response: ownAccount,
});
