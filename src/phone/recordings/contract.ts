import { z } from "@hono/zod-openapi";
import { columns, personNumber } from "../../kernel/http/content.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { bytes, createdAt, timestamp } from "../../kernel/http/fields.ts";
import { cursorPageOf, cursorPaging } from "../../kernel/http/paging.ts";

const recordingId = idOf("recording", "The recording's id; its call has it as `recording_id`.");
const recording = z
  .object({
    id: recordingId,
    call_id: idOf("call", "The call that was recorded."),
    agent_id: z.string().openapi({ description: "The agent that held the call.", example: EXAMPLE_IDS.agent }),
    campaign_id: idOf("campaign", "The campaign that placed the call; null for a single or an inbound one.").nullable(),
    phone_number: personNumber(z.string().nullable(), {
      description: "The number of the person the agent talked to, in E.164; null if the call is not on record.",
      example: "+13035550110",
    }),
    contact_name: columns(z.string(), {
      description:
        "That person's name: the call's variable `name`, otherwise `first_name` and `last_name`; null if there is none.",
      example: "Ada Lovelace",
    }),
    content_type: z.string().openapi({
      description: "The format of the audio, as the carrier made it: `audio/mpeg` or `audio/wav`.",
      example: "audio/wav",
    }),
    size_bytes: z.number().int().openapi({ description: "The size of the audio, in bytes.", example: 485_324 }),
    duration_ms: z.number().int().nullable().openapi({
      description: "Its duration in milliseconds; null if the carrier did not say.",
      example: 30_320,
    }),
    created_at: createdAt,
  })
  .openapi("Recording");

/** The audio as the carrier sent it. */
const audio = { "audio/mpeg": { schema: bytes }, "audio/wav": { schema: bytes } };

const slice = { access: "account", tag: "Recordings" } as const;
const params = z.object({ id: recordingId });
const errors = { 404: "unknown recording" } as const;

export const listRecordings = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listRecordings",
  summary: "List recordings, newest first",
  description: "Returns the recordings that carriers made. Get the audio through each recording's address.",
  query: z.object({
    call_id: z
      .string()
      .optional()
      .openapi({ description: "Only recordings of the call with this id.", example: EXAMPLE_IDS.call }),
    agent_id: z.string().optional().openapi({ description: "Only of this agent's calls.", example: EXAMPLE_IDS.agent }),
    ...cursorPaging(),
  }),
  status: 200,
  response: cursorPageOf("recordings", recording),
});

export const getRecording = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings/{id}",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getRecording",
  summary: "Get a recording's details",
  description: "Returns the duration, size, format and call of the recording.",
  params,
  status: 200,
  response: recording,
  errors,
});

export const getRecordingUrl = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings/{id}/url",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "getRecordingUrl",
  summary: "Get an address that plays the recording for 15 minutes without further sign-in",
  description: "Anyone who has the address can play the recording until the address expires.",
  params,
  status: 200,
  response: z.object({
    url: z.string().openapi({
      description: "The address of the audio, which a browser's player can use as it is.",
      example: `https://api.example.com/api/recordings/acme/${EXAMPLE_IDS.recording}?expires=1795253400&signature=3f9c…`,
    }),
    expires_at: timestamp.openapi({
      description: "The time until which the address works (UTC), 15 minutes from now.",
    }),
  }),
  errors,
});

export const deleteRecording = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/recordings/{id}",
  scope: ["manage"],
  ofAgents: "handler",
  operationId: "deleteRecording",
  summary: "Delete a recording with its audio",
  description: "Deletes it permanently. A late report from the carrier does not bring it back.",
  params,
  status: 204,
  errors,
});

export const playRecording = endpoint({
  method: "get",
  path: "/api/recordings/{account}/{id}",
  access: "public",
  limit: "public",
  tag: "Recordings",
  scope: [],
  operationId: "playRecording",
  summary: "Play a recording at its signed address; understands Range",
  description:
    "Get the address from GET /api/v1/recordings/{id}/url. With a Range header, you get the requested part as a " +
    "206.",
  params: z.object({
    account: z.string().openapi({ description: "The account whose recording it is, as signed.", example: "acme" }),
    id: z.string().openapi({ description: "The recording's id, as signed.", example: EXAMPLE_IDS.recording }),
  }),
  query: z.object({
    expires: z.string().default("").openapi({
      description: "The time until which the address is valid, in milliseconds since 1970, as signed.",
      example: "1795253400000",
    }),
    by: z.string().default("").openapi({
      description:
        "The caller who requested the address, as signed. The address works as long as that caller has access.",
      example: "eyJrZXlfaWQiOiIwMTlhYTVjNCJ9",
    }),
    signature: z.string().default("").openapi({ description: "The signature of the address.", example: "3f9c…" }),
  }),
  headers: z.object({
    Range: z.string().optional().openapi({
      description: "One byte range (RFC 9110); the whole file if left out.",
      example: "bytes=0-65535",
    }),
    "If-Range": z.string().optional().openapi({
      description: "The ETag that the range refers to; if it does not match, the whole recording is sent.",
      example: '"5d41402abc4b2a76"',
    }),
  }),
  status: 200,
  stream: audio,
  others: { 206: { description: "The requested part.", stream: audio } },
  responseHeaders: ["Accept-Ranges", "Content-Range", "ETag"],
  errors: {
    403:
      "the address has no valid signature or has expired, the account is disabled, or the caller who requested it " +
      "no longer has access",
    404: "the recording is gone",
    416: "the recording does not have the requested bytes",
  },
});
