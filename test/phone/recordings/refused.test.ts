import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hmac } from "../../../src/phone/carriers/signature.ts";
import { BASE, call, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import { webhookPath } from "../calls/support.ts";
import { held, idle, inboxOf, originateAbroad, type Recordings, recordingOf, stored, withBindings } from "./support.ts";

afterEach(() => vi.restoreAllMocks());

const FROM = "+12025550177";
const OWN = "https://media.plivo.com/v1/R.mp3";
const MEGABYTE = 1024 * 1024;

/** Creates an account with a call at a carrier over the network, with its own credentials for webhooks. */
async function distant(
  audio: () => Response = () => new Response("audio", { headers: { "content-type": "audio/mpeg" } }),
) {
  const requests: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    requests.push(String(input));
    return /\/Call\/$/.test(String(input)) ? Response.json({ request_uuid: "p-1" }, { status: 201 }) : audio();
  });
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const who = await tenant();
  const post = async (path: string, body: object) => {
    const answer = await who.server.post<{ id: string; call_id: string }>(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const agent = await post("/api/v1/agents", { name: "Caller", status: "active" });
  const credentials = { auth_id: "MA1", auth_token: "a-token-nobody-may-see" };
  const provider = await post("/api/v1/telephony/providers", { provider: "plivo", credentials });
  await post("/api/v1/telephony/numbers", { e164: FROM, credentials_id: provider.id });
  const order = { agent_id: agent.id, from_number: FROM, to_number: "+13035550110" };
  const { call_id } = await originateAbroad(who.server, order);
  const path = await webhookPath(who, call_id, null, { provider: "plivo", credentials_id: provider.id });
  return {
    ...who,
    requests,
    call_id,
    log,
    /** Reports a recording at this address as the carrier would. */
    async report(RecordUrl: string, RecordingID = "R-1") {
      requests.length = 0;
      const fields = { CallUUID: "p-1", RecordUrl, RecordingID, RecordingDurationMs: "9000" };
      const signed = Object.entries(fields).sort().flat().join("");
      const headers = {
        "content-type": "application/x-www-form-urlencoded",
        "x-plivo-signature-v3-nonce": "n",
        "x-plivo-signature-v3": await hmac("SHA-256", credentials.auth_token, `${BASE}${path}.${signed}.n`),
      };
      const answer = await call("POST", path, { headers, raw: new URLSearchParams(fields).toString() });
      expect(answer.status).toBeLessThan(300);
    },
  };
}
type Distant = Awaited<ReturnType<typeof distant>>;

/** Waits until the recording is given up at the first try for this reason, and checks that no part of it is left. */
async function givenUp(who: Distant, reason: RegExp) {
  await vi.waitFor(async () => expect(await held(who)).toEqual({ waiting: [], done: 0 }));
  const lines = who.log.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines).toMatchObject([{ event: "recording_given_up", call_id: who.call_id, tries: 1 }]);
  expect(lines[0].error).toMatch(reason);
  expect(await stored(who)).toEqual([]);
  expect((await who.server.get<Recordings>("/api/v1/recordings")).body.total).toBe(0);
}

describe("a recording with an address that is not its carrier's", () => {
  it("a recording at an address outside its carrier is given up without a request", async () => {
    const who = await distant();
    await who.report("https://me:pa55@169.254.169.254/hidden?token=s3cret");
    await givenUp(who, /name or password/);
    expect(who.requests).toEqual([]);
    expect(String(who.log.mock.calls)).not.toMatch(/pa55|hidden|s3cret/);
  });

  it("the log names a refused recording's address by its host alone", async () => {
    const who = await distant();
    await who.report("https://plivo.com.recordings.evil.example/hidden?token=s3cret");
    await givenUp(who, /plivo\.com\.recordings\.evil\.example is not its own/);
    expect(String(who.log.mock.calls)).not.toMatch(/hidden|s3cret/);
  });

  it("a recording is not requested from a foreign redirect of its carrier", async () => {
    const who = await distant(
      () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:8787/" } }),
    );
    await who.report(OWN);
    await givenUp(who, /must use https:, not http:/);
    expect(who.requests).toEqual([OWN]);
  });
});

describe("a recording of more than 100 MB", () => {
  it("a recording is not read if its announced length exceeds 100 MB", async () => {
    const read = vi.fn();
    const body = () => new ReadableStream({ pull: read }, { highWaterMark: 0 });
    const who = await distant(
      () => new Response(body(), { headers: { "content-length": String(100 * MEGABYTE + 1) } }),
    );
    await who.report(OWN);
    await givenUp(who, /100 MB/);
    expect(read).not.toHaveBeenCalled();
  });

  it("a download beyond 100 MB is aborted without leaving parts in storage", async () => {
    const chunk = new Uint8Array(MEGABYTE);
    const sent = { chunks: 0, ended: false };
    const long = () =>
      new ReadableStream({
        pull(controller) {
          if (sent.chunks++ < 120) controller.enqueue(chunk);
          else controller.close();
        },
        cancel() {
          sent.ended = true;
        },
      });
    const who = await distant(() => new Response(long(), { headers: { "content-type": "audio/mpeg" } }));
    const uploads = { begun: 0, aborted: 0 };
    await withBindings(who, {
      RECORDINGS: new Proxy(env.RECORDINGS, {
        get(bucket, name) {
          if (name !== "createMultipartUpload") return Reflect.get(bucket, name).bind(bucket);
          return async (...args: Parameters<R2Bucket["createMultipartUpload"]>) => {
            const upload = await bucket.createMultipartUpload(...args);
            uploads.begun++;
            return {
              uploadPart: upload.uploadPart.bind(upload),
              complete: upload.complete.bind(upload),
              abort: async () => {
                uploads.aborted++;
                await upload.abort();
              },
            };
          };
        },
      }),
    });
    await who.report(OWN);
    await givenUp(who, /100 MB/);
    expect(sent.ended).toBe(true);
    expect(sent.chunks).toBeLessThan(110);
    expect(uploads).toEqual({ begun: 1, aborted: 1 });
  });

  it("a recording of exactly 100 MB is stored", async () => {
    const body = () => {
      let left = 100;
      return new ReadableStream({
        pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(MEGABYTE)) : controller.close()),
      });
    };
    const who = await distant(() => new Response(body(), { headers: { "content-type": "audio/mpeg" } }));
    await who.report(OWN);
    expect(await recordingOf(who.server, who.call_id)).toMatchObject({ size_bytes: 100 * MEGABYTE });
  });
});

describe("the recordings of one call", () => {
  it("a call has at most twenty recordings, however many are reported", async () => {
    const who = await tenant();
    const of = { provider: "sandbox", credentials_id: null, agent_id: "a1", campaign_id: null } as const;
    const call_id = newId();
    const take = (ids: number[]) =>
      inboxOf(who).take(
        { ...of, call_id },
        ids.map((id) => ({ id: `RE${id}`, url: "", duration_ms: 500, content_type: "audio/wav" })),
      );
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const logged = () => log.mock.calls.splice(0).map(([line]) => JSON.parse(String(line)));
    const trouble = { call_id, error: "the call already has 20 recordings" };
    await take(Array.from({ length: 25 }, (_, i) => i));
    expect(logged()).toMatchObject([{ event: "recordings_refused", refused: 5, ...trouble }]);
    // A recording that already exists does not count again.
    await take([0, 19]);
    expect(logged()).toEqual([]);
    expect((await held(who)).waiting.length + (await held(who)).done).toBeLessThanOrEqual(20);
    await idle(who);
    const total = async () => (await who.server.get<Recordings>(`/api/v1/recordings?call_id=${call_id}`)).body.total;
    expect(await total()).toBe(20);
    await runInDurableObject(inboxOf(who), (_, { storage }) => storage.sql.exec("DELETE FROM done"));
    await take([100, 101]);
    await idle(who);
    expect(logged()).toMatchObject([
      { event: "recording_given_up", tries: 1, ...trouble },
      { event: "recording_given_up", tries: 1, ...trouble },
    ]);
    expect(await held(who)).toEqual({ waiting: [], done: 0 });
    expect(await total()).toBe(20);
    expect(await stored(who)).toHaveLength(20);
    await inboxOf(who).take({ ...of, call_id: newId() }, [
      { id: "RE1", url: "", duration_ms: 500, content_type: "audio/wav" },
    ]);
    await idle(who);
    expect(await stored(who)).toHaveLength(21);
  });
});
