import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { readTool } from "../../../src/conversation/runtime/tools/read-tool.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { breakD1, repair } from "../../support/broken-d1.ts";
import { tenant } from "../../support/client.ts";
import { agentPath, newAgent, tries, versionsOf, versionsPath } from "./support.ts";

afterEach(repair);

/**
 * Creates an agent with a tool that was published as `old` and is now `new`, and runs the tool as a conversation would.
 */
async function published() {
  const who = await tenant();
  const { server } = who;
  const id = await newAgent(server, { versioning: "manual" });
  await server.post("/api/v1/tools", { name: "look_up", description: "old" });
  await server.put(`${agentPath(id)}/tools`, { tool_name: "look_up" });
  await server.post(`${agentPath(id)}/publish`);
  await server.put("/api/v1/tools/look_up", { description: "new" });
  const store = accountStore(env, who.account, { actor: "test", request_id: "" });
  const run = async (version: { number: number } | null) => {
    const found = await readTool(store, { name: "look_up", agent_id: id, version });
    return "refused" in found ? found.refused : found.tool.description;
  };
  return { who, server, id, run };
}

describe("a tool of a stored version", () => {
  it("runs with that content, and with the saved content in a conversation with the draft", async () => {
    const { run } = await published();
    expect([await run({ number: 1 }), await run(null)]).toEqual(["old", "new"]);
  });

  it("runs until a version is published without it, or with it disabled", async () => {
    const { server, id, run } = await published();
    await server.put(`${agentPath(id)}/tools`, { tool_name: "look_up", enabled: false });
    expect([await run({ number: 1 }), await run(null)]).toEqual(["old", "the tool was switched off for the agent"]);
    await server.post(`${agentPath(id)}/publish`);
    expect(await run({ number: 1 })).toBe("the tool was switched off for the agent");
    await server.delete(`${agentPath(id)}/tools/look_up`);
    await server.post(`${agentPath(id)}/publish`);
    expect(await run({ number: 1 })).toBe("the tool was detached from the agent");
  });

  it("a stored version's tool is limited to the saved content under auto versioning", async () => {
    const { server, id, run } = await published();
    await server.patch(agentPath(id), { versioning: "auto" });
    expect(await run({ number: 1 })).toBe("old");
    await server.delete(`${agentPath(id)}/tools/look_up`);
    expect(await run({ number: 1 })).toBe("the tool was detached from the agent");
  });

  it("does not run after it was deleted, in any version", async () => {
    const { who, server, id, run } = await published();
    await server.delete("/api/v1/tools/look_up");
    expect(await run({ number: 1 })).toBe("the tool no longer exists");
    expect(await tries(who, id, "live")).toMatchObject({
      tools: [],
      unavailable_tools: [{ name: "look_up", reason: "the tool was deleted" }],
    });
  });

  it("runs with the version's content after its version was restored", async () => {
    const { server, id, run } = await published();
    await server.post(`${versionsPath(id)}/1/restore`);
    expect(await run(null)).toBe("old");
    await server.put(`${agentPath(id)}/tools`, { tool_name: "look_up" });
    expect(await run(null)).toBe("new");
  });
});

describe("a version that cannot be stored", () => {
  it("does not prevent the agent's conversation, and gets its number the next time", async () => {
    const who = await tenant();
    const id = await newAgent(who.server, { greeting_message: "one" });
    await breakD1(who.account, ["agent_versions"], ["INSERT"]);
    expect((await tries(who, id)).agent).toMatchObject({ version: null, greeting_message: "one" });
    await repair();
    expect((await tries(who, id)).agent.version).toBe(1);
    expect((await versionsOf(who.server, id)).length).toBe(1);
  });
});
