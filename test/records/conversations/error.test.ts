import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { getArchive } from "../../../src/records/conversations/archive.ts";
import { archiveKey } from "../../../src/records/ledger/file-keys.ts";
import { breakActs, repairLedgers } from "../../support/broken-ledger.ts";
import { tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import {
  ARCHIVED,
  type Conversation,
  endedRow,
  events,
  held,
  LIVE,
  leftOf,
  objectDoes,
  PATH,
  putRows,
  TURNS,
} from "./support.ts";

describe("a conversation", () => {
  it("answers 404 if it does not exist, whatever its id looks like", async () => {
    const { user } = await tenant();
    for (const id of [crypto.randomUUID(), "x", "..%2F..%2Fx"]) {
      for (const path of ["", "/transcript", "/trace", "/events"]) {
        const answer = await user.get(`${PATH}/${id}${path}`);
        expect([answer.status, answer.code, answer.body]).toEqual([404, "not_found", "conversation not found"]);
      }
      expect((await user.delete(`${PATH}/${id}`)).status).toBe(404);
    }
    expect((await user.post(PATH, {})).status).toBe(405);
  });

  it("list refuses malformed pages, kinds and times", async () => {
    const { user } = await tenant();
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=x",
      "kind=fax",
      "since=yesterday",
      "until=2026-13-01T00:00:00Z",
      "unknown=1",
    ])
      expect((await user.get(`${PATH}?${query}`)).status, query).toBe(400);
  });

  it("list refuses a cursor that points to a conversation of another account or to a deleted one", async () => {
    const [who, other] = [await tenant(), await tenant()];
    const [foreign, gone] = [await held(other), await held(who)];
    await who.user.delete(`${PATH}/${gone}`);
    for (const after of [foreign, gone, crypto.randomUUID(), "x", ""]) {
      const answer = await who.user.get(`${PATH}?after=${after}`);
      expect([answer.status, answer.code], after).toEqual([400, "unknown_cursor"]);
    }
  });

  it("a conversation whose turns are lost is shown as incomplete", async () => {
    const who = await tenant();
    const lost = await held(who, {}, null);
    const empty = endedRow({ archived: false });
    const live = endedRow(LIVE);
    await putRows(who, [empty, live]);
    for (const id of [lost, empty.id]) {
      const { status, body } = await who.user.get<Conversation>(`${PATH}/${id}`);
      expect([status, body.turns, body.complete, body.turn_count]).toEqual([200, [], false, 3]);
      expect((await who.user.get(`${PATH}/${id}/transcript`)).body).toMatch(/\n\(The transcript was lost\.\)\n$/);
      expect((await events(who.user, id)).text).toMatch(/^event: snapshot\n.*"turns":\[\].*\nid: 0\n\n$/);
    }
    expect((await who.user.get<Conversation>(`${PATH}/${live.id}`)).body).toMatchObject({ status: "live", turns: [] });
  });

  it("a conversation that is archived during the request is read from R2", async () => {
    const who = await tenant();
    const row = endedRow({ archived: false });
    await held(who, row);
    const detail = async () => {
      await putRows(who, [Object.assign({}, row, { revision: 2, archived: true })]);
      return null;
    };
    await objectDoes(who, row.session_key, { detail });
    expect((await who.user.get<Conversation>(`${PATH}/${row.id}`)).body.turns).toEqual(TURNS);
  });

  it("a conversation is not confused with another one of the same visitor", async () => {
    const who = await tenant();
    const row = endedRow({ kind: "widget", archived: false });
    await putRows(who, [row]);
    await objectDoes(who, row.session_key, { detail: async () => ({ ...endedRow(LIVE), turns: TURNS }) });
    expect((await who.user.get<Conversation>(`${PATH}/${row.id}`)).body).toMatchObject({ id: row.id, turns: [] });
    expect((await events(who.user, row.id)).text).toContain(row.id);
  });

  it("an archive of another format or without one is refused", async () => {
    const { account } = await tenant();
    const put = (text: string) => env.CONVERSATIONS.put(archiveKey(account, "c"), text);
    await put(JSON.stringify(Object.assign({ format: 1, turns: TURNS, later: 1 }, ARCHIVED)));
    expect(await getArchive(env.CONVERSATIONS, account, "c")).toEqual(Object.assign({ turns: TURNS }, ARCHIVED));
    const other = JSON.stringify(Object.assign({ format: 2, turns: TURNS }, ARCHIVED));
    for (const text of [other, "", "{}", '{"turns":[{"seq":"1"}]}', "[]"]) {
      await put(text);
      await expect(getArchive(env.CONVERSATIONS, account, "c"), text).rejects.toThrow();
    }
    expect(await getArchive(env.CONVERSATIONS, account, "other")).toBeNull();
  });

  it("a conversation whose deletion failed is deleted completely by the next request", async () => {
    const who = await tenant();
    const row = endedRow({ campaign_id: crypto.randomUUID() });
    const id = await held(who, row);
    const erasing: string[] = [];
    const erase = async () => {
      if (erasing.push("erase") === 1) throw new Error("the object is away");
    };
    await objectDoes(who, row.session_key, { erase });
    expect((await who.user.delete(`${PATH}/${id}`)).status).toBe(500);
    expect(await leftOf(who, id)).toEqual({ file: true, row: true });
    const away = { delete: () => Promise.reject(new Error("R2 is away")) };
    const failed = await countRoundTrips(`${PATH}/${id}`, who.user.headers, {
      method: "DELETE",
      env: { CONVERSATIONS: away },
    });
    expect([failed.status, await leftOf(who, id)]).toEqual([500, { file: true, row: true }]);
    await breakActs(who.account);
    try {
      expect((await who.user.delete(`${PATH}/${id}`)).status).toBe(500);
    } finally {
      await repairLedgers();
    }
    // The turns are deleted. The row remains, so that the deletion can be repeated.
    expect(await leftOf(who, id)).toEqual({ file: false, row: true });
    expect((await who.user.delete(`${PATH}/${id}`)).status).toBe(204);
    expect([erasing.length, await leftOf(who, id)]).toEqual([4, { file: false, row: false }]);
  });
});
