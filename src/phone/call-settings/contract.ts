import { z } from "@hono/zod-openapi";
import { accountDisclosure, disclosureChanges } from "../../agent/disclosure/fields.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { allowedDestinations } from "./destinations.ts";
import { CALL_VOICEMAIL, CALL_VOICEMAIL_WORDS } from "./settings.ts";

/**
 * Maximum length of an announcement, characters. It is spoken on every recorded call, and carriers accept about 4,000
 * in all.
 */
const MAX_ANNOUNCEMENT_CHARS = 500;

const announcement = z
  .string()
  .trim()
  .min(1, "must not be empty; null for no announcement")
  .max(MAX_ANNOUNCEMENT_CHARS)
  .refine((text) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text), "must not contain control characters or line breaks");

const callSettings = z
  .object({
    retention_days: z.number().int().min(1).max(3_650).nullable().openapi({
      description: "How many days conversations are kept after they started; null to keep them forever.",
      example: 90,
    }),
    record_outbound: z.boolean().openapi({
      description:
        "Whether outgoing calls are recorded, unless the call or its campaign says otherwise. Default: true.",
      example: true,
    }),
    record_inbound: z.boolean().openapi({
      description: "Whether incoming calls are recorded, from the answer on. Default: false.",
      example: false,
    }),
    recording_announcement: announcement.nullable().openapi({
      description:
        "What the carrier says at the start of a recorded call, before the agent speaks: plain text of up to 500 characters. Null (the default) for nothing.",
      example: "This call is recorded.",
    }),
    disclosure: accountDisclosure,
    ring_timeout_s: z.number().int().min(10).max(120).openapi({
      description: "How many seconds a phone may ring before the call counts as not answered. Default: 45.",
      example: 45,
    }),
    inbound_reserve: z.number().int().min(0).max(50).nullable().openapi({
      description:
        "How many of the account's concurrent calls campaigns cannot use, so that inbound and single calls find a free slot; campaigns always keep one. Null (the default): one if the cap is 10 or more, otherwise none.",
      example: 2,
    }),
    caller_concurrent_calls: z
      .number()
      .int()
      .min(1)
      .max(100)
      .nullable()
      .openapi({
        description:
          "The number of concurrent calls that one caller may have with the account; null for no limit. All withheld " +
          "numbers together count as one caller. A caller over the limit hears that all lines are busy, and the call " +
          "is recorded with the end reason `caller_limit`. Default: 2.",
        example: 2,
      }),
    caller_calls_per_day: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .nullable()
      .openapi({
        description:
          "The number of calls that one caller may make to the account within a UTC day, counted and refused in the " +
          "same way; null for no limit. Default: 20.",
        example: 20,
      }),
    voicemail: z.enum(CALL_VOICEMAIL).openapi({
      description: `${CALL_VOICEMAIL_WORDS} For single calls; campaigns have a setting of their own. Default: \`hang_up\`.`,
      example: "hang_up",
    }),
    allowed_destinations: allowedDestinations.nullable().openapi({
      description:
        "The calling codes of the numbers that the account may dial, in calls and transfers. Campaign contacts with " +
        "other numbers fail with `destination_not_allowed`. Null (the default) for every destination; an empty list " +
        "for none.",
      example: ["+1", "+49"],
    }),
  })
  .openapi("CallSettings");

const slice = { access: "account", tag: "Call settings", path: "/api/v1/call-settings" } as const;

export const getCallSettings = endpoint({
  ...slice,
  method: "get",
  scope: ["read"],
  operationId: "getCallSettings",
  summary: "Get the account's call settings",
  description: "Settings that the account has not changed have their default.",
  revised: true,
  status: 200,
  response: callSettings,
});

export const updateCallSettings = endpoint({
  ...slice,
  method: "patch",
  scope: ["manage"],
  operationId: "updateCallSettings",
  summary: "Change the account's call settings",
  description:
    "Fields that are left out stay as they are. Changes apply to calls that begin afterwards, and to running " +
    "campaigns within ten seconds. The reserve and the limits of callers apply at once. If you shorten the " +
    "retention, older records are deleted for good within the hour.",
  body: callSettings.extend({ disclosure: disclosureChanges }).partial(),
  revised: true,
  status: 200,
  response: callSettings,
});
