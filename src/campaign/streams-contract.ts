import { z } from "@hono/zod-openapi";
import { endpoint } from "../kernel/http/endpoint.ts";
import { eventStream, lastEventId } from "../kernel/http/event-stream.ts";
import { EXAMPLE_IDS } from "../kernel/http/example-ids.ts";
import { timestamp } from "../kernel/http/fields.ts";
import { secretText } from "../kernel/http/secret-fields.ts";
import { campaignId, campaignRecord, campaignStatus, counts } from "./campaign-record.ts";
import { callId, contactIdField, contactPosition, phoneNumber } from "./contact-record.ts";
import { CONTACT_STATUSES, type ContactStatus } from "./decide/state.ts";

const slice = { access: "account", ofAgents: "handler", tag: "Campaigns", method: "get", status: 200 } as const;
const params = z.object({ id: campaignId });
const errors = { 404: "unknown campaign" };

const seq = z.number().int().min(0).openapi({
  description: "Counts from 1 without gaps, and is also the event's id. A repeated event has the same number.",
  example: 42,
});
const at = timestamp.openapi({ description: "When it happened (UTC)." });

const snapshot = campaignRecord
  .extend({
    seq: seq.openapi({
      description: "The last event included in the snapshot; later ones follow.",
      example: 41,
    }),
    campaign_id: campaignId,
  })
  .openapi("CampaignSnapshotEvent", {
    description: "The data of `snapshot`: the campaign's current state; always the first event.",
  });

const transition = <S extends ContactStatus>(status: S) =>
  z
    .object({
      seq,
      campaign_id: campaignId,
      contact_id: contactIdField,
      position: contactPosition,
      phone_number: phoneNumber,
      status: z
        .literal(status)
        .openapi({ description: "The contact's new status, which is also the event's name.", example: status }),
      previous_status: z
        .enum(CONTACT_STATUSES)
        .openapi({ description: "The contact's previous status.", example: BEFORE[status] }),
      attempt: z.number().int().nullable().openapi({
        description: "The number of the contact's call that this event is about, from 1; null if none.",
        example: 1,
      }),
      call_id: callId,
      reason: z.string().nullable().openapi({
        description: "Why: the outcome of a call, or who canceled it; null if there is nothing to add.",
        example: REASONS[status],
      }),
      at,
    })
    .openapi(`Contact${status.replace(/^./, (letter) => letter.toUpperCase())}Event`, {
      description: `The data of \`${status}\`: a contact reached this status.`,
    });

/** Example of a contact's previous status, and of the reason for the change. */
const BEFORE: Record<ContactStatus, ContactStatus> = {
  pending: "originated",
  originated: "pending",
  connected: "originated",
  completed: "connected",
  failed: "originated",
  cancelled: "pending",
};
const REASONS: Record<ContactStatus, string | null> = {
  pending: "busy",
  originated: null,
  connected: null,
  completed: null,
  failed: "no_answer",
  cancelled: "stopped",
};

const changed = z
  .object({
    status: campaignStatus,
    counts,
    seq,
    campaign_id: campaignId,
    reason: z.string().nullable().openapi({
      description:
        "What changed besides the status: `created`, `settings_changed`, `importing`, `redial` and, once all its contacts are pending, `redialled`, `history_rewritten` after the erasure of a person, or why it paused itself; otherwise null.",
      example: "settings_changed",
    }),
    at,
  })
  .openapi("CampaignChangedEvent", { description: "The data of `campaign`: its own state or settings changed." });

/** The schema of each event's data, by the event's name. */
export const EVENTS = {
  snapshot,
  pending: transition("pending"),
  originated: transition("originated"),
  connected: transition("connected"),
  completed: transition("completed"),
  failed: transition("failed"),
  cancelled: transition("cancelled"),
  campaign: changed,
};

const stream = eventStream("CampaignEvent", EVENTS);
const TOO_MANY_STREAMS = "the quota of open event streams is reached";

export const streamEvents = endpoint({
  ...slice,
  path: "/api/v1/campaigns/{id}/events",
  scope: ["read"],
  operationId: "streamCampaignEvents",
  summary: "Watch a campaign live",
  description:
    "Server-sent events: a snapshot, then every transition of a contact and of the campaign. The schema is that " +
    "of an event's `data`, by its name. The id is the last field of each event, so a disconnected client has the " +
    "data of every id that it received. Reconnect with Last-Event-ID, as an EventSource does automatically, to " +
    "get the events that you missed. `seq` has no gaps. Drop an event whose `seq` you already have. If a `seq` " +
    "is missing, reconnect with the last one that you have. A comment every 15 s keeps idle connections open. " +
    "The stream stays open until the client disconnects, the campaign is deleted, or the reader loses access: " +
    "the key is revoked, the session ends, or the account is disabled. An account has a quota of open streams. A " +
    "browser's EventSource sends no Authorization header, so use the address of a ticket.",
  params,
  headers: lastEventId,
  stream,
  errors: { ...errors, 429: TOO_MANY_STREAMS },
});

export const createTicket = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/campaigns/{id}/events/ticket",
  scope: ["read"],
  operationId: "createCampaignEventsTicket",
  summary: "Get an address for a browser's EventSource, valid for 60 s to connect",
  description:
    "Request the ticket on your server, and pass the address to the page. It opens the events of this campaign " +
    "and nothing else, any number of times within 60 s. An open stream continues after that, and ends when you " +
    "lose access: when the key is revoked, the session ends, or the account is disabled. An EventSource that " +
    "reconnects after 60 s gets a 403 and closes (`readyState` is CLOSED). Then request a new ticket, and add " +
    "`&last_event_id=` with the last id that you have, so that you miss no events.",
  params,
  response: z.object({
    url: secretText({
      description:
        "The address for the page. Keep it out of logs, because anyone who has it can watch. You can add " +
        "`&last_event_id=`.",
      example: `https://api.example.com/api/campaigns/${EXAMPLE_IDS.campaign}/events?ticket=eyJ...`,
    }),
    expires_at: timestamp.openapi({ description: "The time until which a client can connect (UTC), 60 s from now." }),
  }),
  errors,
});

export const streamByTicket = endpoint({
  access: "public",
  limit: "public",
  tag: "Campaigns",
  method: "get",
  path: "/api/campaigns/{id}/events",
  scope: [],
  operationId: "streamCampaignEventsByTicket",
  summary: "Watch a campaign live from a page of any origin, with a ticket",
  description:
    "The same stream as under /api/v1, for a browser's EventSource. The address comes from POST " +
    "/api/v1/campaigns/{id}/events/ticket. Every answer carries CORS headers for any origin, without credentials. An " +
    "error ends an EventSource permanently; it does not reconnect by itself.",
  params,
  query: z.object({
    ticket: z.string().openapi({
      description: "The ticket in the address that createCampaignEventsTicket returned; valid for 60 s.",
      example: "eyJ...",
    }),
    last_event_id: z.string().optional().openapi({
      description: "The same as the header Last-Event-ID, for a new EventSource. If both are sent, the header counts.",
      example: "42",
    }),
  }),
  headers: lastEventId,
  status: 200,
  stream,
  errors: {
    ...errors,
    401: "the session that requested the ticket has ended, or its key has expired",
    403: "the ticket is missing, expired or for another campaign, its key was revoked, or the account is disabled",
    429: `too many requests of this address, or ${TOO_MANY_STREAMS}`,
  },
});
