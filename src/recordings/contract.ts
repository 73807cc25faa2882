import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { bytes, timestamp, uuid } from "../http/fields.ts";
import { pageOf, paging } from "../http/paging.ts";

/** An id, in examples. */
const ID = "019a5c1e-7c00-7000-8000-000000000001";

const recording = z
  .object({
    id: uuid.openapi({ description: "The recording's id.", example: ID }),
    call_id: uuid.openapi({ description: "The call that was recorded.", example: ID }),
    agent_id: z.string().openapi({ description: "The agent that talked on it.", example: ID }),
    campaign_id: uuid
      .nullable()
      .openapi({ description: "The call's campaign; null where it is of none.", example: null }),
    content_type: z.string().openapi({ description: "The audio's media type.", example: "audio/mpeg" }),
    size_bytes: z.number().int().openapi({ description: "How long the file is, bytes.", example: 163_840 }),
    duration_ms: z
      .number()
      .int()
      .nullable()
      .openapi({ description: "How long it plays, ms; null where the carrier does not say.", example: 42_000 }),
    created_at: timestamp.openapi({ description: "When the carrier reported it." }),
  })
  .openapi("Recording");

/** The audio as the carrier sent it. */
const audio = { "audio/mpeg": { schema: bytes }, "audio/wav": { schema: bytes } };

const slice = { access: "account", tag: "Recordings" } as const;
const params = z.object({ id: uuid.openapi({ description: "The recording's id.", example: ID }) });
const errors = { 404: "unknown recording" } as const;

export const listRecordings = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings",
  operationId: "listRecordings",
  summary: "List recordings, newest first",
  description: "What the carriers recorded, by call and agent; the audio itself is at the address of each.",
  query: z.object({
    call_id: z.string().optional().openapi({ description: "Only recordings of this call.", example: ID }),
    agent_id: z.string().optional().openapi({ description: "Only of calls that this agent talked on.", example: ID }),
    ...paging(),
  }),
  status: 200,
  response: pageOf("recordings", recording),
});

export const getRecording = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings/{id}",
  operationId: "getRecording",
  summary: "Get a recording's record",
  description: "Length, size and format, and which call it is of.",
  params,
  status: 200,
  response: recording,
  errors,
});

export const getRecordingUrl = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings/{id}/url",
  operationId: "getRecordingUrl",
  summary: "Get an address that plays the recording for 15 minutes without further sign-in",
  description: "Anybody who has the address can play it until it expires.",
  params,
  status: 200,
  response: z.object({
    url: z.string().openapi({
      description: "Where the audio plays, signed.",
      example: `https://switchboard.example/api/recordings/acme/${ID}?expires=1795254600000&signature=x`,
    }),
    expires_at: timestamp.openapi({ description: "Until then the address is good." }),
  }),
  errors,
});

export const deleteRecording = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/recordings/{id}",
  operationId: "deleteRecording",
  summary: "Delete a recording with its audio",
  description: "For good. A late report of the carrier does not bring it back.",
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
  operationId: "playRecording",
  summary: "Play a recording at its signed address; understands Range",
  description:
    "The address comes from GET /api/v1/recordings/{id}/url. With a Range header the part that is asked for comes as a 206.",
  params: z.object({
    account: z.string().openapi({ description: "Whose recording it is.", example: "acme" }),
    id: z.string().openapi({ description: "The recording's id.", example: ID }),
  }),
  query: z.object({
    expires: z
      .string()
      .default("")
      .openapi({ description: "As in the address: until when it is good, ms since 1970.", example: "1795254600000" }),
    signature: z.string().default("").openapi({ description: "As in the address.", example: "x" }),
  }),
  headers: z.object({
    Range: z.string().optional().openapi({ description: "One range of bytes.", example: "bytes=0-65535" }),
    "If-Range": z
      .string()
      .optional()
      .openapi({ description: "The ETag that the range is of; else all is sent.", example: '"5f2a"' }),
  }),
  status: 200,
  stream: audio,
  others: { 206: { description: "The part that was asked for.", stream: audio } },
  responseHeaders: ["Accept-Ranges", "Content-Range", "ETag"],
  errors: {
    403: "the address is not signed by us, or has expired, or the account is disabled",
    404: "the recording is gone",
    416: "the recording has no such bytes",
  },
});
