import { describe, expect, it } from "vitest";
import { log } from "../../account/audit-log/support.ts";
import { type Client, call, tenant } from "../../support/client.ts";
import { introspect, page, widgetTenant } from "../../support/widget.ts";

type Who = "anyone" | "signed_in";
interface Settings {
  who: Who;
  auth_mode: string;
}

/** Creates an agent whose `who` can be read and set. */
async function newAgent() {
  const { user, server } = await tenant();
  const { id } = (await server.post<{ id: string }>("/api/v1/agents", { name: "Ada" })).body;
  return { user, server, id, ...settingsOf(server, id) };
}

function settingsOf(client: Client, id: string) {
  const [agentPath, path] = [`/api/v1/agents/${id}`, `/api/v1/agents/${id}/widget-settings`];
  const patch = (body: object, tag?: string) =>
    call<Settings>("PATCH", path, { body, headers: tag ? { ...client.headers, "if-match": tag } : client.headers });
  return {
    path,
    agentPath,
    patch,
    agentTag: async () => (await client.get(agentPath)).headers.get("etag") ?? "",
    tag: async () => (await client.get(path)).headers.get("etag") ?? "",
    /** Returns who may chat, and the auth_mode of the widget and of the agent. */
    modes: async () => {
      const [widget, agent] = [await client.get<Settings>(path), await client.get<Settings>(agentPath)];
      return [widget.body.who, widget.body.auth_mode, agent.body.auth_mode];
    },
  };
}

const revisionOf = (tag: string) => Number(/^"(\d+)\./.exec(tag)?.[1]);

describe("who may chat", () => {
  it("who may chat is one setting that sets the widget's and the agent's auth_mode", async () => {
    const { patch, modes } = await newAgent();
    expect(await modes()).toEqual(["signed_in", "both", "authenticated"]);
    const opened = await patch({ who: "anyone" });
    expect([opened.status, opened.body]).toMatchObject([200, { who: "anyone", auth_mode: "both" }]);
    expect(await modes()).toEqual(["anyone", "both", "public"]);
    expect((await patch({ who: "signed_in", widget_enabled: true })).body.who).toBe("signed_in");
    expect(await modes()).toEqual(["signed_in", "authenticated", "authenticated"]);
    expect((await patch({ who: "anyone", auth_mode: "both" })).status).toBe(200);
  });

  it("who may chat shows the combined result if the two settings differ", async () => {
    const { server, agentPath, patch, modes } = await newAgent();
    for (const widget of ["public", "authenticated", "both"]) {
      for (const agent of ["public", "authenticated"]) {
        await server.patch(agentPath, { auth_mode: agent });
        const who = widget === "authenticated" || agent === "authenticated" ? "signed_in" : "anyone";
        expect((await patch({ auth_mode: widget })).body.who).toBe(who);
        expect(await modes()).toEqual([who, widget, agent]);
      }
    }
  });

  it("changing who may chat raises the agent's revision only if its auth_mode changed", async () => {
    const { patch, tag, agentTag } = await newAgent();
    const revisions = async () => [revisionOf(await tag()), revisionOf(await agentTag())];
    const [widget = 0, agent = 0] = await revisions();
    const opened = await patch({ who: "anyone" }, await tag());
    expect(await revisions()).toEqual([widget + 1, agent + 1]);
    expect(opened.headers.get("etag")).toBe(await tag());
    await patch({ who: "anyone" });
    expect(await revisions()).toEqual([widget + 1, agent + 1]);
    await patch({ widget_enabled: false });
    expect(await revisions()).toEqual([widget + 2, agent + 1]);
  });

  it("a change of who may chat is one audit entry, which says whether the agent's auth_mode changed", async () => {
    const { user, id, patch } = await newAgent();
    const latest = async () => (await log(user, "limit=1"))[0];
    await patch({ who: "anyone" });
    const entry = { action: "update", resource: "agent_widget_settings", resource_id: id };
    expect(await latest()).toMatchObject(Object.assign({ changes: { agent_auth_mode: null } }, entry));
    await patch({ who: "signed_in" });
    expect(await latest()).toMatchObject({ changes: { auth_mode: null, agent_auth_mode: null } });
    const before = await log(user);
    await patch({ who: "signed_in" });
    expect(await log(user)).toEqual(before);
  });

  it("a change of who may chat applies to visitors at once", async () => {
    const created = await widgetTenant();
    const { patch } = settingsOf(created.server, created.agentId);
    const config = async () => (await page().config(created.widgetKey.key)).body.guests;
    const guest = await page().guest(created.widgetKey.key);
    expect(await config()).toBe(true);
    await patch({ who: "signed_in" });
    expect(await config()).toBe(false);
    expect((await page().guest(created.widgetKey.key)).status).toBe(403);
    expect(await introspect(created, guest.body.access_token)).toMatchObject({
      active: false,
      reason: "guest_not_allowed",
    });
    await patch({ who: "anyone" });
    expect(await config()).toBe(true);
    expect(await introspect(created, guest.body.access_token)).toMatchObject({ active: true });
  });
});

describe("invalid changes of who may chat", () => {
  it.each([
    { who: "anyone", auth_mode: "authenticated" },
    { who: "anyone", auth_mode: "public" },
  ])("changing who may chat refuses %j with the field's name", async (body) => {
    const { server, path, modes, tag, agentTag } = await newAgent();
    const before = [await modes(), await tag(), await agentTag()];
    const headers = { ...server.headers, accept: "application/problem+json" };
    const answer = await call<{ errors: unknown }>("PATCH", path, { body, headers });
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ field: "auth_mode" }]]);
    expect([await modes(), await tag(), await agentTag()]).toEqual(before);
  });

  it("who may chat has two values", async () => {
    const { patch } = await newAgent();
    for (const who of ["nobody", "both", null, 1]) expect((await patch({ who })).status).toBe(400);
  });

  it("a failed If-Match changes neither the widget nor the agent", async () => {
    const { user, patch, modes, tag, agentTag } = await newAgent();
    const stale = await tag();
    await patch({ widget_enabled: false });
    const before = [await modes(), await tag(), await agentTag(), (await log(user)).length];
    // An outdated revision, a future one, and an invalid one.
    for (const given of [stale, `"${revisionOf(stale) + 2}.x"`, '"x"']) {
      const answer = await patch({ who: "anyone" }, given);
      expect([answer.status, answer.code]).toEqual([412, "changed_meanwhile"]);
      expect([await modes(), await tag(), await agentTag(), (await log(user)).length]).toEqual(before);
    }
    expect((await patch({ who: "anyone" }, await tag())).status).toBe(200);
  });

  it("one of many concurrent changes to the same revision is accepted", async () => {
    const { patch, modes, tag, agentTag } = await newAgent();
    await patch({ who: "anyone" });
    const [from, agent] = [await tag(), revisionOf(await agentTag())];
    const answers = await Promise.all(
      (["signed_in", "anyone", "signed_in", "anyone"] as const).map((who) => patch({ who }, from)),
    );
    const through = answers.filter(({ status }) => status === 200);
    expect(through.length).toBe(1);
    const who = through[0]?.body.who;
    const isOpen = who === "anyone";
    expect(await modes()).toEqual(isOpen ? [who, "both", "public"] : [who, "authenticated", "authenticated"]);
    expect(revisionOf(await agentTag())).toBe(isOpen ? agent : agent + 1);
  });
});

describe("who may chat in other accounts", () => {
  it("who may chat cannot be set for another account's agent", async () => {
    const [mine, theirs] = [await newAgent(), await tenant()];
    const before = await mine.modes();
    const answer = await theirs.user.patch(mine.path, { who: "anyone" });
    expect([answer.status, await mine.modes()]).toEqual([404, before]);
  });

  it("who may chat does not change other agents of the account", async () => {
    const { server, patch } = await newAgent();
    const other = (await server.post<{ id: string }>("/api/v1/agents", { name: "Bo" })).body;
    const { modes } = settingsOf(server, other.id);
    await patch({ who: "anyone" });
    expect(await modes()).toEqual(["signed_in", "both", "authenticated"]);
  });
});
