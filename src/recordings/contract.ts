import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { bytes, timestamp, uuid } from "../http/fields.ts";
import { pageOf, paging } from "../http/paging.ts";

const recording = z
  .object({
    id: uuid,
    call_id: uuid,
    agent_id: z.string(),
    campaign_id: uuid.nullable(),
    content_type: z.string(),
    size_bytes: z.number().int(),
    duration_ms: z.number().int().nullable(),
    created_at: timestamp,
  })
  .openapi("Recording");

/** The audio as the carrier sent it. */
const audio = { "audio/mpeg": { schema: bytes }, "audio/wav": { schema: bytes } };

const slice = { access: "account", tag: "Recordings" } as const;
const params = z.object({ id: uuid });
const errors = { 404: "unknown recording" } as const;

export const listRecordings = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings",
  operationId: "listRecordings",
  summary: "List recordings, newest first",
  description: "What the carriers recorded, by call and agent; the audio itself is at the address of each.",
  query: z.object({ call_id: z.string().optional(), agent_id: z.string().optional(), ...paging() }),
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
  response: z.object({ url: z.string(), expires_at: timestamp }),
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
  params: z.object({ account: z.string(), id: z.string() }),
  query: z.object({ expires: z.string().default(""), signature: z.string().default("") }),
  headers: z.object({
    Range: z.string().optional().openapi({ description: "One range of bytes.", example: "bytes=0-65535" }),
    "If-Range": z.string().optional().openapi({ description: "The ETag that the range is of; else all is sent." }),
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
