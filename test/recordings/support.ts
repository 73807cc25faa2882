import { expect, vi } from "vitest";
import type { Client } from "../support/client.ts";

export interface Recording {
  id: string;
  call_id: string;
  agent_id: string;
  campaign_id: string | null;
  content_type: string;
  size_bytes: number;
  duration_ms: number | null;
  created_at: string;
}
export interface Recordings {
  recordings: Recording[];
  total: number;
}

/** The recording of a call, once the carrier has delivered it. */
export function recordingOf(server: Client, callId: string): Promise<Recording> {
  return vi.waitFor(
    async () => {
      const { recordings } = (await server.get<Recordings>(`/api/v1/recordings?call_id=${callId}`)).body;
      const [recording] = recordings;
      if (!recording) expect.fail("no recording yet");
      return recording;
    },
    { timeout: 20_000, interval: 10 },
  );
}

/** The path of the address that plays a recording. */
export async function playbackPath(server: Client, id: string): Promise<string> {
  const { url } = (await server.get<{ url: string }>(`/api/v1/recordings/${id}/url`)).body;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
