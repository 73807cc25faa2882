import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { openOut } from "../../../src/kernel/egress/open-out.ts";
import { Downloads, hasSlot } from "../../../src/phone/recordings/downloads.ts";
import { fetchAudio } from "../../../src/phone/recordings/fetch-audio.ts";
import type { Entry } from "../../../src/phone/recordings/inbox-ledger.ts";
import { tenant } from "../../support/client.ts";
import { putCall } from "../../support/ledger.ts";
import { inboxOf, recordingOf, stored, withBindings } from "./support.ts";

const AUDIO = { size: 4, contentType: "audio/wav" };

function entry(set: Partial<Entry> = {}): Entry {
  const id = crypto.randomUUID();
  return {
    provider: "sandbox",
    credentials_id: null,
    call_id: `call-${id}`,
    agent_id: "agent",
    campaign_id: null,
    source_id: id,
    id,
    recording: { id, url: "", content_type: "audio/wav", duration_ms: 1 },
    taken_at: 0,
    tries: 0,
    ...set,
  };
}

/** Creates a body that sends one byte at each tick, and its tick function. */
function trickling() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (it) => {
      controller = it;
    },
  });
  return { body, tick: () => controller?.enqueue(new Uint8Array(1)) };
}

describe("downloads of recordings", () => {
  it("leave two slots to recordings that have not failed yet", () => {
    const failed = Array.from({ length: 4 }, () => ({ tries: 3 }));
    expect(hasSlot({ tries: 1 }, failed)).toBe(false);
    expect(hasSlot({ tries: 0 }, failed)).toBe(true);
    expect(hasSlot({ tries: 0 }, [...failed, { tries: 0 }, { tries: 0 }])).toBe(false);
  });

  it("continue while one of them does not end", async () => {
    const downloads = new Downloads();
    const [slow, quick] = [entry(), entry()];
    downloads.start(slow, () => new Promise(() => undefined));
    downloads.start(quick, async () => AUDIO);
    await vi.waitFor(() => expect(downloads.anyUnderWay([quick])).toBe(false));
    expect(downloads.takeEnded()).toEqual([{ entry: quick, audio: AUDIO }]);
    expect(downloads.without([slow, quick])).toEqual([quick]);
  });

  it("end at once when their call is dropped, and record nothing", async () => {
    const downloads = new Downloads();
    const dropped = entry();
    downloads.start(dropped, (_, signal) => {
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => reject(signal.reason));
      return promise;
    });
    await downloads.change(0);
    await downloads.abort([dropped.call_id]);
    expect([downloads.without([dropped]), downloads.takeEnded()]).toEqual([[dropped], []]);
  });

  it("store nothing of audio that is dropped during the download", async () => {
    const { account } = await tenant();
    const { body, tick } = trickling();
    const abort = new AbortController();
    const carrier = { fetchRecording: async () => new Response(body, { headers: { "content-type": "audio/wav" } }) };
    const fetched = fetchAudio(env.RECORDINGS, carrier, entry().recording, `${account}/one`, abort.signal);
    tick();
    abort.abort();
    await expect(fetched).rejects.toThrow();
    expect(await stored({ account })).toEqual([]);
  });
});

describe("a response that trickles", () => {
  it("a response slower than the slowest allowed rate is aborted", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { body, tick } = trickling();
      const { body: bounded } = await openOut(
        { method: "GET", url: "https://carrier.example/audio", headers: {}, body: null },
        {
          judge: (address) => ({ url: new URL(address) }),
          redirects: "none",
          fetch: async () => new Response(body),
          total_ms: 600_000,
          slowest: { bytes: 1_000, ms: 10_000 },
          max_bytes: 1_000_000,
        },
      );
      const reader = bounded?.getReader();
      const read = async () => {
        const next = reader?.read();
        vi.advanceTimersByTime(1_000);
        tick();
        return next;
      };
      for (let n = 0; n < 9; n++) expect((await read())?.value?.length).toBe(1);
      await expect(read()).rejects.toThrow("sent its response too slowly");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("an account's recordings", () => {
  it("an account's recordings are stored while one of them trickles", async () => {
    const who = await tenant();
    const [stuck, quick] = [await putCall(who.account), await putCall(who.account)];
    const call = { provider: "sandbox" as const, credentials_id: null, agent_id: "agent", campaign_id: null };
    const recording = (id: string) => ({ id, url: "", content_type: "audio/wav", duration_ms: 1_000 });
    let isFirst = true;
    const put: R2Bucket["put"] = (...given: Parameters<R2Bucket["put"]>) => {
      if (!isFirst) return env.RECORDINGS.put(...given);
      isFirst = false;
      return new Promise(() => undefined);
    };
    await withBindings(who, { RECORDINGS: Object.assign({}, { put }) as unknown as R2Bucket });
    const inbox = inboxOf(who);
    await inbox.take(Object.assign({ call_id: stuck }, call), [recording("slow")]);
    await vi.waitFor(() => expect(isFirst).toBe(false));
    await inbox.take(Object.assign({ call_id: quick }, call), [recording("quick")]);
    expect(await recordingOf(who.server, quick)).toMatchObject({ call_id: quick });
    expect(await inbox.waiting([stuck])).toHaveLength(1);
  });
});
