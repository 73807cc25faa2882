import { z } from "@hono/zod-openapi";
import { endpoint } from "../http/endpoint.ts";
import { timestamp, uuid } from "../http/fields.ts";
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

const slice = { access: "account", tag: "Recordings" } as const;
const params = z.object({ id: uuid });
const errors = { 404: "unknown recording" } as const;

export const listRecordings = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings",
  summary: "List recordings, newest first",
  query: z.object({ call_id: z.string().optional(), agent_id: z.string().optional(), ...paging() }),
  status: 200,
  response: pageOf("recordings", recording),
});

export const getRecording = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings/{id}",
  summary: "Get a recording's record",
  params,
  status: 200,
  response: recording,
  errors,
});

export const getRecordingUrl = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/recordings/{id}/url",
  summary: "Get an address that plays the recording for 15 minutes without further sign-in",
  params,
  status: 200,
  response: z.object({ url: z.string(), expires_at: timestamp }),
  errors,
});

export const deleteRecording = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/recordings/{id}",
  summary: "Delete a recording with its audio",
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
  params: z.object({ account: z.string(), id: z.string() }),
  query: z.object({ expires: z.string().default(""), signature: z.string().default("") }),
  status: 200,
  stream: "audio/wav",
  errors: { 403: "the address is not signed by us, or has expired", 404: "the recording is gone" },
});
