import { describe, expect, it } from "vitest";
import { MAX_ATTACHED_BYTES } from "../../../src/agent/attached-texts.ts";
import { type Client, tenant } from "../../support/client.ts";

/** The longest text of a field. So many of them fill an agent. */
const LONGEST = 256 * 1024;
const FULL = MAX_ATTACHED_BYTES / LONGEST;

interface Agent {
  id: string;
  faqs: { name: string }[];
  playbooks: { name: string }[];
}

async function newFaq(server: Client, name: string, chars = LONGEST) {
  const { status } = await server.post("/api/v1/faqs", { name, content: "x".repeat(chars) });
  expect(status).toBe(201);
}

/** Creates an agent with so many FAQs of the longest text, named `long_0`, `long_1` and so on. */
async function withLongFaqs(most: number) {
  const { server } = await tenant();
  const path = `/api/v1/agents/${(await server.post<Agent>("/api/v1/agents", { name: "a" })).body.id}`;
  for (let n = 0; n < most; n++) {
    await newFaq(server, `long_${n}`);
    expect((await server.post(`${path}/faqs`, { faq_id: `long_${n}` })).status).toBe(200);
  }
  return { server, path, faqs: async () => (await server.get<Agent>(path)).body.faqs.map(({ name }) => name) };
}

describe("the FAQs, playbooks and tools of an agent may have 4 MB together", () => {
  it("an item for which the agent has no room is not attached", async () => {
    const { server, path, faqs } = await withLongFaqs(FULL);
    await newFaq(server, "short", 1);
    const refused = await server.post(`${path}/faqs`, { faq_id: "short" });
    expect(refused).toMatchObject({ status: 400, code: "too_large" });
    await server.post("/api/v1/playbooks", { name: "steps", content: "x" });
    const playbook = await server.post(`${path}/playbooks`, { playbook_id: "steps" });
    expect(playbook).toMatchObject({ status: 400, code: "too_large" });
    expect(await faqs()).toHaveLength(FULL);
    expect((await server.get<Agent>(path)).body.playbooks).toEqual([]);
  });

  it("attaching an attached item to a full agent changes nothing", async () => {
    const { server, path, faqs } = await withLongFaqs(FULL);
    expect((await server.post(`${path}/faqs`, { faq_id: "long_0" })).status).toBe(200);
    expect(await faqs()).toHaveLength(FULL);
  });

  it("only one of two items that are attached at once gets the last room", async () => {
    const { server, path, faqs } = await withLongFaqs(FULL - 1);
    await newFaq(server, "one");
    await newFaq(server, "two");
    const answers = await Promise.all(["one", "two"].map((faq_id) => server.post(`${path}/faqs`, { faq_id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await faqs()).toHaveLength(FULL);
  });

  it("an item does not grow beyond the room of an agent that uses it", async () => {
    const { server, path } = await withLongFaqs(FULL - 1);
    for (const name of ["one", "two"]) {
      await newFaq(server, name, LONGEST / 2);
      await server.post(`${path}/faqs`, { faq_id: name });
    }
    await server.post("/api/v1/playbooks", { name: "steps", description: "", content: "" });
    await server.put("/api/v1/faqs/two", { content: "x".repeat(LONGEST / 2 - 100) });
    expect((await server.post(`${path}/playbooks`, { playbook_id: "steps" })).status).toBe(200);
    const longer = { content: "x".repeat(200) };
    for (const item of ["/api/v1/faqs/two", "/api/v1/playbooks/steps"]) {
      const before = await server.get(item);
      expect(await server.put(item, item.includes("faqs") ? { content: "x".repeat(LONGEST) } : longer)).toMatchObject({
        status: 400,
        code: "too_large",
      });
      expect((await server.get(item)).body).toEqual(before.body);
    }
    expect((await server.put("/api/v1/faqs/two", { content: "short" })).status).toBe(200);
    expect((await server.put("/api/v1/playbooks/steps", longer)).status).toBe(200);
  });

  it("a refused change of an unknown revision or item is still 412 or 404", async () => {
    const { server } = await withLongFaqs(FULL);
    const tooLong = { summary: "x" };
    expect((await server.put("/api/v1/faqs/long_0", tooLong)).code).toBe("too_large");
    const stale = await server.send("PUT", "/api/v1/faqs/long_0", JSON.stringify(tooLong), {
      "content-type": "application/json",
      "if-match": '"7.x"',
    });
    expect(stale.code).toBe("changed_meanwhile");
    expect((await server.put("/api/v1/faqs/none", tooLong)).status).toBe(404);
  });

  it("a restored FAQ counts with its restored text until it is attached again", async () => {
    const { server, path, faqs } = await withLongFaqs(FULL - 1);
    await newFaq(server, "grown", 1);
    await server.post(`${path}/faqs`, { faq_id: "grown" });
    await server.patch(path, { versioning: "manual" });
    const published = await server.post<{ number: number }>(`${path}/publish`, {});
    expect(published.status).toBe(200);
    await server.put("/api/v1/faqs/grown", { content: "other" });
    expect((await server.post(`${path}/versions/${published.body.number}/restore`)).status).toBe(200);
    // The agent uses the restored text, so that the FAQ itself may grow.
    expect((await server.put("/api/v1/faqs/grown", { content: "x".repeat(LONGEST) })).status).toBe(200);
    await newFaq(server, "last", LONGEST / 2);
    expect((await server.post(`${path}/faqs`, { faq_id: "last" })).status).toBe(200);
    const again = await server.post(`${path}/faqs`, { faq_id: "grown" });
    expect(again).toMatchObject({ status: 400, code: "too_large" });
    expect(await faqs()).toHaveLength(FULL + 1);
    expect((await server.get("/api/v1/agents")).body).toEqual([(await server.get(path)).body]);
  });

  it("a restored FAQ that is attached twice at once is attached", async () => {
    const { server } = await tenant();
    const path = `/api/v1/agents/${(await server.post<Agent>("/api/v1/agents", { name: "a" })).body.id}`;
    await newFaq(server, "hours", 1);
    await server.post(`${path}/faqs`, { faq_id: "hours" });
    await server.patch(path, { versioning: "manual" });
    const { number } = (await server.post<{ number: number }>(`${path}/publish`, {})).body;
    await server.put("/api/v1/faqs/hours", { content: "other" });
    expect((await server.post(`${path}/versions/${number}/restore`)).status).toBe(200);
    const attach = async () => (await server.post(`${path}/faqs`, { faq_id: "hours" })).status;
    expect(await Promise.all([attach(), attach(), attach()])).toEqual([200, 200, 200]);
  });

  it("a tool for which the agent has no room is not attached, but its settings can be changed", async () => {
    const { server, path } = await withLongFaqs(FULL - 1);
    const code = "x".repeat(LONGEST / 2);
    for (const name of ["one", "two", "three"])
      await server.post("/api/v1/tools", {
        name,
        implementation_type: "python",
        implementation_code: name === "two" ? code.slice(1_000) : code,
      });
    const attach = (tool_name: string, more: object = {}) =>
      server.post(`${path}/tools`, Object.assign({ tool_name }, more));
    expect((await attach("one")).code).toBeNull();
    const config = { note: "x".repeat(100) };
    expect((await attach("two", { config })).code).toBeNull();
    const refused = { status: 400, code: "too_large" };
    expect(await attach("three")).toMatchObject(refused);
    expect(await attach("two", { config: { note: "x".repeat(2_000) } })).toMatchObject(refused);
    expect(await attach("two", { enabled: false, config })).toMatchObject({ status: 200, body: { enabled: false } });
    const longer = { implementation_code: `${code}x` };
    expect(await server.put("/api/v1/tools/two", longer)).toMatchObject(refused);
    expect((await server.put("/api/v1/tools/three", longer)).status).toBe(200);
    expect((await server.put("/api/v1/tools/two", { description: "" })).status).toBe(200);
    expect((await server.put("/api/v1/tools/two", { implementation_code: "" })).status).toBe(200);
    expect((await server.get<{ tools: unknown[] }>(`${path}/tools`)).body.tools).toHaveLength(2);
  });
});
