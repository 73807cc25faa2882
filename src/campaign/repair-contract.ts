import { z } from "@hono/zod-openapi";
import { endpoint } from "../kernel/http/endpoint.ts";
import { idOf } from "../kernel/http/example-ids.ts";
import { label, numberInQuery, plainText } from "../kernel/http/fields.ts";
import { pageOf, paging } from "../kernel/http/paging.ts";
import { valueStates } from "../records/analysis/value-states.ts";
import { campaignId, campaignRecord } from "./campaign-record.ts";
import { contact, contactIdField } from "./contact-record.ts";
import { CONTACT_STATUSES } from "./decide/state.ts";
import { CHOICES, type Choice, type ChoiceCounts, FAILED_OUTCOMES, NOT_CALLED, OUTCOMES } from "./repair/outcomes.ts";

const slice = { access: "account", ofAgents: "handler", tag: "Campaigns" } as const;
const params = z.object({ id: campaignId });
const contactParams = params.extend({ contactId: contactIdField });
const unknown = { 404: "unknown campaign" };
const unknownContact = { 404: "unknown campaign or contact" };

const MOST_SEARCH_CHARS = 100;
/** Restores the plus sign of a number, because an unescaped plus in a query string is a space. */
const plus = (text: unknown) => (typeof text === "string" ? text.replace(/^ (?=\d)/, "+") : text);

/** Filters for contacts, which combine. */
export const contactFilters = {
  status: z
    .enum(CONTACT_STATUSES)
    .optional()
    .openapi({ description: "Only contacts in this status.", example: "failed" }),
  outcome: z
    .enum(OUTCOMES)
    .optional()
    .openapi({ description: "Only contacts whose latest call had this outcome.", example: "no_answer" }),
  phone_number: numberInQuery.optional().openapi({
    type: "string",
    description: "Only the contact with this number, in any notation.",
    example: "+12025550100",
  }),
  search: z.preprocess(plus, z.string().trim().min(1, "must not be empty").max(MOST_SEARCH_CHARS).optional()).openapi({
    type: "string",
    minLength: 1,
    maxLength: MOST_SEARCH_CHARS,
    description:
      "Only contacts with this text in their number or in one of their variables, ignoring case. A text that " +
      "begins with a plus only searches the beginning of numbers, which is fast.",
    example: "lovelace",
  }),
};

export const listContacts = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns/{id}/contacts",
  scope: ["read"],
  operationId: "listCampaignContacts",
  summary: "List contacts in the order of the file, or look some up",
  description:
    "Returns one page. You can combine the filters. For long lists, use `after` instead of `offset`: send the " +
    "`next` of the previous page until it is null. A search reads a limited number of contacts per request, so a " +
    "page can have fewer contacts than `limit`, or none; continue with `next`. `offset` cannot be combined with " +
    "`search`.",
  params,
  query: z.object({
    ...contactFilters,
    after: idOf(
      "contact",
      "Only contacts after this one, in the order of the list; stays fast in a list of any length.",
    ).optional(),
    state: valueStates("The states of the values in each contact's `data`:"),
    ...paging({ max: 1000, default: 100 }),
  }),
  status: 200,
  response: pageOf("contacts", contact).extend({
    total: z
      .number()
      .int()
      .nullable()
      .openapi({
        description:
          "The total on all pages. With `outcome`, or a search for the beginning of a number, null if there " +
          "are more than 10,000; with any other `search`, null unless the first page contains all contacts found.",
        example: 1280,
      }),
    next: idOf("contact", "The value to send as `after` for the next page; null at the end.").nullable(),
  }),
  errors: {
    ...unknown,
    400: "unknown status or outcome, a malformed number, search, limit or offset, or offset with search",
  },
});

const MOST_VALUE_CHARS = 65_536;
const variablesPatch = z
  .record(plainText, plainText.max(MOST_VALUE_CHARS).nullable(), { error: "must be an object of texts by name" })
  .openapi({
    description:
      "Variables to change, by the column's name; variables that you leave out stay, and null empties one. A new " +
      "name adds a column to the campaign, empty for all other contacts; a campaign has at most 200 columns. " +
      "`timezone` is checked as in an upload.",
    example: { name: "Ada Lovelace", company: null },
  });

export const correctContact = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/campaigns/{id}/contacts/{contactId}",
  scope: ["dial"],
  operationId: "correctCampaignContact",
  summary: "Correct a pending contact while the campaign is a draft or paused",
  description:
    "Changes the contact's number, its variables, or both. Earlier calls and the history keep the earlier " +
    "number. A contact that is being called cannot be changed.",
  params: contactParams,
  body: z.object({
    phone_number: z
      .string()
      .max(100)
      .optional()
      .openapi({
        description:
          "The new number, with its country code, read as in an upload and stored as E.164. If left out, the number " +
          "stays.",
        example: "+1 (202) 555-0100",
      }),
    variables: variablesPatch.optional(),
  }),
  status: 200,
  response: contact,
  errors: {
    ...unknownContact,
    400:
      "an invalid number (`invalid_number`), the number of another contact (`duplicate_number`), or invalid " +
      "variables",
    409: "the campaign is running or has ended, or the contact is being called or is not pending",
  },
});

export const cancelContact = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/campaigns/{id}/contacts/{contactId}/cancel",
  scope: ["dial"],
  operationId: "cancelCampaignContact",
  summary: "Cancel a pending contact, so that it is never called",
  description:
    "You can cancel a contact of any campaign that has not ended, even while it runs. After the response, the " +
    "contact is never dialed. If it was the last contact that a started campaign waited for, the campaign is " +
    "completed.",
  params: contactParams,
  status: 200,
  response: contact,
  errors: { ...unknownContact, 409: "the campaign has ended, or the contact is being called or is not pending" },
});

export const redialCampaign = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/campaigns/{id}/redial",
  scope: ["dial"],
  operationId: "redialCampaign",
  summary: "Call failed contacts again",
  description:
    "Counts the contacts with the named outcomes and makes them pending again. For very many contacts, the " +
    "redial continues in the background. It is complete when `counts.pending` has grown by `contacts`, which a " +
    "`campaign` event with the reason `redialled` also reports. Until then, start and resume are refused " +
    "(`redial_under_way`), and a stop ends the redial. A completed campaign becomes paused and counts as open " +
    "again; resume it to call. Each contact is called once more regardless of `max_attempts`, and after that " +
    "only as far as `max_attempts` allows. Contacts on the do-not-call list are not called.",
  params,
  body: z.object({
    outcomes: z
      .array(z.enum(FAILED_OUTCOMES))
      .min(1, "must name an outcome")
      .max(20)
      .openapi({
        description:
          "Contacts that failed with one of these outcomes; `unknown` and `do_not_call` are included only if they are " +
          "named.",
        example: ["busy", "no_answer"],
      }),
  }),
  status: 200,
  response: z
    .object({
      contacts: z.number().int().min(0).openapi({
        description:
          "How many contacts become pending again, at once or later in the background. If it is 0, nothing was changed.",
        example: 312,
      }),
    })
    .openapi("CampaignRedial"),
  errors: {
    ...unknown,
    400: "a missing or unknown outcome",
    403: "the quota of open campaigns is reached, so a completed campaign cannot be reopened",
    409:
      "the campaign is a draft, running, stopped or being read; a redial is in progress; calls to these contacts " +
      "are still being hung up; or its storage is full (`campaign_full`)",
  },
});

const EXAMPLE_COUNTS: Partial<ChoiceCounts> = { answered: 640, no_answer: 210, busy: 38, machine: 95, not_called: 297 };
const choiceCount = (choice: Choice) =>
  z
    .number()
    .int()
    .min(0)
    .openapi({
      description:
        choice === NOT_CALLED
          ? "Contacts that were never called and not canceled by hand."
          : `Contacts whose latest call had the outcome \`${choice}\`.`,
      example: EXAMPLE_COUNTS[choice] ?? 0,
    });
const choiceCounts = Object.fromEntries(CHOICES.map((choice) => [choice, choiceCount(choice)])) as Record<
  Choice,
  ReturnType<typeof choiceCount>
>;

export const countOutcomes = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/campaigns/{id}/outcomes",
  scope: ["read"],
  operationId: "countCampaignOutcomes",
  summary: "Count the contacts by the outcome of their latest call, and those never called",
  description:
    "Returns how many contacts a clone would copy for each choice of `contacts`. Each contact counts once. A " +
    "contact on its first call, or canceled by hand before any call, does not count.",
  params,
  status: 200,
  response: z.object({
    outcomes: z.object(choiceCounts).openapi({ description: "How many contacts there are, by choice." }),
  }),
  errors: unknown,
});

export const cloneCampaign = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/campaigns/{id}/clone",
  scope: ["dial"],
  operationId: "cloneCampaign",
  summary: "Clone a campaign's settings and contacts into a new draft",
  description:
    "From a campaign in any state. Settings are copied unchanged; an agent or a number that no longer exists is " +
    "left empty. Contacts are pending, without calls, and have their current variables. A clone counts as an " +
    "upload while it is created, and a failed clone leaves nothing behind.",
  params,
  body: z.object({
    name: label.optional().openapi({
      description: "The new campaign's name. Default: the name of this one and `(copy)`.",
      example: "Autumn, second round",
    }),
    contacts: z
      .union([z.enum(["none", "all"]), z.array(z.enum(CHOICES)).min(1, "must name an outcome").max(20)], {
        error: 'must be "none", "all", or a list of outcomes such as ["busy"]',
      })
      .openapi({
        description:
          "Which contacts to copy: none, all, or those whose latest call ended with one of these outcomes. " +
          "`not_called` are contacts that were never called and not canceled by hand, such as those canceled by a " +
          "stop. `GET /api/v1/campaigns/{id}/outcomes` counts them all.",
        example: ["not_called", "no_answer"],
      }),
  }),
  status: 201,
  response: campaignRecord,
  errors: {
    ...unknown,
    400: "an invalid choice of contacts, or an unknown outcome",
    403: "the quota of open campaigns (draft, running or paused) is reached",
    409: "its upload is still being read, or the clone was deleted while it was created",
    429: "the quota of concurrent uploads is reached",
    503: "an earlier attempt under the same Idempotency-Key is still in progress; try again",
  },
});
