import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { UNLIMITED_CALLER_VIEW } from "../../../src/kernel/caller-view.ts";
import { playbackUrl } from "../../../src/phone/recordings/playback-url.ts";
import { Client, call, consoleUser, operator } from "../../support/client.ts";
import { caller, originate } from "../calls/support.ts";
import { playbackPath, recordingOf } from "./support.ts";

async function recorded() {
  const who = await caller();
  const { call_id } = (await originate(who, "+13035550110")).body;
  return { ...who, recording: await recordingOf(who.server, call_id) };
}

describe("the security of recordings", () => {
  it("a recording does not play at an address that is unsigned, changed or another recording's", async () => {
    const [one, other] = [await recorded(), await recorded()];
    const path = await playbackPath(one.server, one.recording.id);
    const query = path.slice(path.indexOf("?"));
    const bare = `/api/recordings/${one.account}/${one.recording.id}`;
    const later = path.replace(/expires=\d+/, (old) => `expires=${Number(old.slice(8)) + 60_000}`);
    for (const wrong of [bare, `${bare}?expires=9999999999999`, `${bare}?signature=AAAA`, later])
      expect((await call("GET", wrong)).code).toBe("bad_signature");
    for (const foreign of [
      `/api/recordings/${other.account}/${other.recording.id}${query}`,
      `/api/recordings/${one.account}/${other.recording.id}${query}`,
    ])
      expect((await call("GET", foreign)).status).toBe(403);
    expect((await call("GET", path)).status).toBe(200);
  });

  it("a recording does not play at an expired address", async () => {
    const { account, recording, key } = await recorded();
    const recordedAt = async (at: number) =>
      (await playbackUrl(env, "", { account, id: recording.id }, { key_id: key.id, view: UNLIMITED_CALLER_VIEW }, at))
        .url;
    expect((await call("GET", await recordedAt(Date.now() - 16 * 60_000))).status).toBe(403);
    expect((await call("GET", await recordedAt(Date.now() - 14 * 60_000))).status).toBe(200);
  });

  it("a recording does not play at an address whose creator has lost access", async () => {
    const { account, user, recording } = await recorded();
    const key = (await user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: "player" })).body;
    const colleague = await consoleUser(account);
    const byKey = await playbackPath(new Client({ authorization: `Bearer ${key.key}` }), recording.id);
    const [bySession, byOther] = [await playbackPath(colleague, recording.id), await playbackPath(user, recording.id)];
    for (const path of [byKey, bySession, byOther]) expect((await call("GET", path)).status).toBe(200);
    await user.delete(`/api/v1/api-keys/${key.id}`);
    await colleague.post("/api/logout");
    for (const path of [byKey, bySession]) {
      const { status, code } = await call("GET", path);
      expect([status, code]).toEqual([403, "access_revoked"]);
    }
    expect((await call("GET", byOther)).status).toBe(200);
    const forged = bySession.replace(/by=[^&]+/, /by=[^&]+/.exec(byOther)?.[0] ?? "");
    expect((await call("GET", forged)).code).toBe("bad_signature");
  });

  it("a disabled account's recordings do not play until the account is enabled", async () => {
    const { account, server, recording } = await recorded();
    const path = await playbackPath(server, recording.id);
    const disable = async (disabled: boolean) =>
      (await operator()).patch(`/api/admin/v1/accounts/${account}`, { disabled });
    await disable(true);
    const refused = await call("GET", path, { headers: { range: "bytes=0-9" } });
    expect([refused.status, refused.code]).toEqual([403, "account_closed"]);
    await disable(false);
    expect((await call("GET", path)).status).toBe(200);
  });

  it("recordings of another account cannot be seen", async () => {
    const [one, other] = [await recorded(), await caller()];
    const filtered = `/api/v1/recordings?call_id=${one.recording.call_id}`;
    expect((await other.server.get(filtered)).body).toMatchObject({ total: 0 });
    expect((await other.server.get(`/api/v1/recordings/${one.recording.id}/url`)).status).toBe(404);
  });

  it("a response never repeats the carrier's address of a recording", async () => {
    const { recording } = await recorded();
    expect(Object.keys(recording)).not.toContain("provider_recording_id");
    expect(Object.keys(recording)).not.toContain("account");
  });
});
