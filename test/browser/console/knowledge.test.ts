import { describe, expect, it, onTestFinished } from "vitest";
import type { Account } from "../service.ts";
import { expectFit, serveConsole, withSession } from "./operator.ts";

serveConsole();

const QUESTION = "Does the hotel have a swimming pool?";

/** Asks the agent something for which its search finds nothing, and ends the conversation. */
async function askInVain({ server, agent }: Account): Promise<void> {
  const { id } = await server<{ id: string }>("POST", "/api/v1/knowledge", {
    title: "Opening",
    text: "Mondays: 9 to 5.",
  });
  await expect
    .poll(async () => (await server<{ status: string }>("GET", `/api/v1/knowledge/${id}`)).status)
    .toBe("ready");
  await server("POST", `/api/v1/agents/${agent.id}/knowledge`, { document_id: id, mode: "search" });
  const { runtime_url, access_token } = await server<{ runtime_url: string; access_token: string }>(
    "POST",
    `/api/v1/agents/${agent.id}/session`,
    {},
  );
  const socket = new WebSocket(runtime_url);
  onTestFinished(() => socket.close());
  let answers = 0;
  socket.addEventListener("message", ({ data }) => {
    if (JSON.parse(String(data)).type === "message") answers += 1;
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  send({ type: "session", access_token });
  await expect.poll(() => answers).toBe(1);
  for (const text of [QUESTION, "Goodbye!"]) {
    const before = answers;
    send({ type: "message", id: crypto.randomUUID(), text });
    await expect.poll(() => answers).toBeGreaterThan(before);
  }
  await expect.poll(async () => (await server<{ total: number }>("GET", "/api/v1/knowledge/unanswered")).total).toBe(1);
}

describe("Knowledge", () => {
  it("lists an unanswered question and adds a text to the agent that was asked", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    await askInVain(account);
    await operator.goTo("/knowledge");
    const row = page.getByRole("region", { name: "Unanswered questions" }).getByRole("row", { name: QUESTION });
    await row.getByRole("button", { name: "Answer" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a text that answers this" });
    await dialog.getByText(QUESTION).waitFor();
    expect(await dialog.getByLabel("Title").inputValue()).toBe("");
    expect(await dialog.getByLabel("Text", { exact: true }).inputValue()).toBe("");
    await dialog.getByLabel("Title").fill("Pool");
    await dialog.getByLabel("Text", { exact: true }).fill("The swimming pool is open in summer.");
    await dialog.getByRole("button", { name: "Add text" }).click();
    await dialog.waitFor({ state: "detached" });
    const { knowledge } = await account.server<{ knowledge: { title: string }[] }>(
      "GET",
      `/api/v1/agents/${account.agent.id}`,
    );
    expect(knowledge.map(({ title }) => title)).toContain("Pool");
    await expectFit(operator, "knowledge");
  });
});
