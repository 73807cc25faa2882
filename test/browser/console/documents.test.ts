import { expect, it } from "vitest";
import { atAgent, button, holdFirst, link, stored } from "./at-agent.ts";
import { expectFit, type Operator, serveConsole, signedIn } from "./operator.ts";

serveConsole();

const PRICES =
  "# Prices\n\n## Repairs\n\nA new chain costs 35 euros.\n\n## Rentals\n\nA cargo bike costs 40 euros a day.";

/** Creates a document and waits until it is read. */
async function addDocument({ account }: Operator, title: string, text = PRICES): Promise<string> {
  const { id } = await account.server<{ id: string }>("POST", "/api/v1/knowledge", { title, text });
  const status = async () => (await account.server<{ status: string }>("GET", `/api/v1/knowledge/${id}`)).status;
  await expect.poll(status).toBe("ready");
  return id;
}

it("a document is attached to an agent, read from its prompt and detached", async () => {
  const operator = await atAgent("/knowledge");
  const { page } = operator;
  const id = await addDocument(operator, "Price list");
  await button(page, "Attach a document").click();
  const dialog = page.getByRole("dialog", { name: "Attach documents" });
  await dialog.getByRole("button", { name: "Attach Price list" }).click();
  await dialog.getByText("Attached", { exact: true }).waitFor();
  await button(page, "Done").click();
  await page.getByLabel("How the agent reads Price list").selectOption("In the prompt");
  await expect.poll(() => stored(operator)).toMatchObject({ knowledge: [{ document_id: id, mode: "prompt" }] });
  await expectFit(operator, "agent-documents");
  await button(page, "Detach Price list").click();
  await page.getByText("No documents attached").waitFor();
  expect(await stored(operator)).toMatchObject({ knowledge: [] });
});

it("the last of several choices of how a document is read is stored, however slow the first request is", async () => {
  const operator = await atAgent("/knowledge");
  const { page, account } = operator;
  const document_id = await addDocument(operator, "Price list");
  const attached = `/api/v1/agents/${account.agent.id}/knowledge`;
  await account.server("POST", attached, { document_id });
  await page.reload();
  const { sent, release } = await holdFirst(page, `**${attached}`, "POST");
  const mode = page.getByLabel("How the agent reads Price list");
  await mode.focus();
  await mode.selectOption("In the prompt");
  await mode.selectOption("Searched");
  await expect.poll(sent).toBe(1);
  release();
  await expect.poll(() => stored(operator)).toMatchObject({ knowledge: [{ document_id, mode: "search" }] });
  expect(sent()).toBe(2);
  await expect.poll(() => mode.inputValue()).toBe("search");
  expect(await mode.evaluate((one) => one === document.activeElement)).toBe(true);
});

it("a document that does not fit the prompt stays as it was attached", async () => {
  const operator = await atAgent("/knowledge");
  const { page, account } = operator;
  const id = await addDocument(operator, "Handbook", "A sentence about bikes. ".repeat(400));
  await account.server("POST", `/api/v1/agents/${account.agent.id}/knowledge`, { document_id: id });
  await page.reload();
  const mode = page.getByLabel("How the agent reads Handbook");
  await mode.selectOption("In the prompt");
  await page.getByText(/8,000 characters together/).waitFor();
  await expect.poll(() => mode.inputValue()).toBe("auto");
});

it("each of several documents is named while it is uploaded", async () => {
  const { page } = await signedIn("/knowledge");
  let may = Promise.withResolvers<void>();
  await page.route("**/api/v1/knowledge", async (route) => {
    if (route.request().method() === "POST") await may.promise;
    await route.continue();
  });
  const names = ["prices.md", "hours.md"];
  const files = names.map((name) => ({ name, mimeType: "text/markdown", buffer: Buffer.from(PRICES) }));
  await page.getByLabel("Choose files").setInputFiles(files);
  for (const name of names) {
    await page.getByText(`Uploading ${name}`).waitFor();
    const { resolve } = may;
    may = Promise.withResolvers<void>();
    resolve();
  }
  may.resolve();
  await link(page, "hours").waitFor();
});

it("a document shows its passages, its original and the agents that have it", async () => {
  const operator = await signedIn("/knowledge");
  const { page, account } = operator;
  const id = await addDocument(operator, "Price list");
  await addDocument(operator, "Opening hours", "We are open from 9 to 5.");
  await page.reload();
  await link(page, "Price list").waitFor();
  await page.getByLabel("Question").fill("What does a chain cost?");
  await button(page, "Search").click();
  await page.getByText("Price list › Prices › Repairs").click();
  await page.getByText("A new chain costs 35 euros.").waitFor();
  await expectFit(operator, "documents");
  await link(page, "Price list").click();
  await page.getByLabel("Attach to an agent").selectOption("Ada");
  await page.getByLabel("How the agent reads it").selectOption("Searched");
  await button(page, "Attach").click();
  await link(page, "Ada").waitFor();
  expect(await stored(operator)).toMatchObject({ knowledge: [{ document_id: id, mode: "search" }] });
  await page.getByText("2 passages").click();
  await page.getByRole("listitem").filter({ hasText: "A cargo bike costs 40 euros a day." }).waitFor();
  await expectFit(operator, "document");
  const saved = page.waitForEvent("download");
  await button(page, "Download original").click();
  expect((await saved).suggestedFilename()).toBe("Price list.md");
  await button(page, "Detach Ada").click();
  await page.getByText("No agent").waitFor();
  expect((await account.server<{ used_by: [] }>("GET", `/api/v1/knowledge/${id}`)).used_by).toEqual([]);
});

it("a turn of a conversation links to the document that it is based on", async () => {
  const operator = await atAgent("/talk");
  const { page, account } = operator;
  const document_id = await addDocument(operator, "Price list");
  await account.server("POST", `/api/v1/agents/${account.agent.id}/knowledge`, { document_id, mode: "search" });
  await button(page, "Start talking").click();
  const message = page.getByLabel("Message to Ada");
  await message.fill("What does a new chain cost?");
  await message.press("Enter");
  await page.getByRole("log", { name: "Conversation" }).getByText("35 euros").waitFor();
  await link(page, "Transcript").click();
  const source = page.getByRole("list", { name: "Sources" }).getByRole("link", { name: "Prices › Repairs, passage 1" });
  await source.waitFor();
  await expectFit(operator, "conversation-sources");
  await source.click();
  await page.getByRole("heading", { name: "Price list" }).waitFor();
});
