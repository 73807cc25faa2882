import { describe, expect, it, onTestFinished } from "vitest";
import type { Account } from "../service.ts";
import { expectFit, follow, type Operator, serveConsole, visitAs, withSession } from "./operator.ts";

serveConsole();

interface Held {
  status: string;
  analysis: { status: string } | null;
}

/**
 * Lets a team member say these texts to the agent, ending with goodbye, and returns the conversation once it is
 * recorded.
 */
async function held({ server, agent }: Account, ...texts: string[]): Promise<string> {
  interface Session {
    access_token: string;
    runtime_url: string;
    conversation_id: string;
  }
  const session = await server<Session>("POST", `/api/v1/agents/${agent.id}/session`, {});
  const socket = new WebSocket(session.runtime_url);
  onTestFinished(() => socket.close());
  let answers = 0;
  socket.addEventListener("message", ({ data }) => {
    const { type } = JSON.parse(String(data)) as { type: string };
    if (type === "message") answers++;
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  socket.send(JSON.stringify({ type: "session", access_token: session.access_token }));
  await expect.poll(() => answers).toBe(1);
  for (const text of [...texts, "Thank you, goodbye."]) {
    const before = answers;
    socket.send(JSON.stringify({ type: "message", id: crypto.randomUUID(), text }));
    await expect.poll(() => answers).toBeGreaterThan(before);
  }
  const path = `/api/v1/conversations/${session.conversation_id}`;
  await expect.poll(async () => (await server<Held>("GET", path)).status).toBe("ended");
  return session.conversation_id;
}

const panelOf = ({ page }: Operator) => page.getByRole("complementary", { name: "Team member" });

describe("the analysis of conversations", () => {
  it("an analysis is set up for an agent, cites its turns, and can be repeated", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    await goTo(`/agents/${account.agent.id}/analysis`);
    await page.getByLabel("Analyze conversations").check();
    await page.getByLabel("Write a summary").check();
    await page.getByRole("button", { name: "Add a goal" }).click();
    const goal = page.getByRole("group", { name: "Goals 1" });
    await goal.getByLabel("Name").fill("booked");
    await goal.getByLabel("Met when").fill("The caller agreed to an appointment.");
    const add = page.getByRole("button", { name: "Add a value" });
    const value = (n: number) => page.getByRole("group", { name: `Values to find ${n}` });
    await add.click();
    await value(1).getByLabel("Name").fill("party_size");
    await value(1).getByLabel("Type").selectOption("Number");
    await value(1).getByLabel("What to look for").fill("How many people come.");
    await add.click();
    await value(2).getByLabel("Name").fill("time_of_day");
    await value(2).getByLabel("Type").selectOption("One of a list");
    await value(2).getByLabel("What to look for").fill("When they would like to come.");
    await value(2).getByLabel("The list").fill("morning");
    await value(2).getByLabel("The list").press("Enter");
    await expectFit(operator, "agent-analysis");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await account.server("GET", `/api/v1/agents/${account.agent.id}`)).toMatchObject({
      analysis: {
        enabled: true,
        criteria: [{ name: "booked" }],
        data: [
          { name: "party_size", type: "number" },
          { name: "time_of_day", type: "choice", choices: ["morning"] },
        ],
      },
    });

    const id = await held(account, "We are 7 people.");
    await goTo(`/conversations/${id}`);
    const panel = panelOf(operator);
    const values = panel.getByRole("list", { name: "Values" });
    const size = values.getByRole("listitem").filter({ hasText: "Party size" });
    await size.getByText("7", { exact: true }).waitFor();
    await size.getByText("The caller said it").waitFor();
    await values
      .getByRole("listitem")
      .filter({ hasText: "Time of day" })
      .getByText("Nobody said anything about it.")
      .waitFor();
    await size.getByRole("button", { name: /^Show what was said at/ }).press("Enter");
    const marked = page.locator("li[data-shown]");
    await expect.poll(() => marked.textContent()).toContain("We are 7 people.");
    await expect.poll(() => marked.evaluate((turn) => turn === document.activeElement)).toBe(true);
    await expectFit(operator, "conversation-analysis");

    await panel.getByRole("button", { name: "Analyze again" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Analyze again" }).click();
    await page.getByText("The analysis is in progress.", { exact: false }).waitFor();
    await size.getByText("7", { exact: true }).waitFor();

    await page.getByRole("link", { name: "Conversations", exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: "Team member" });
    await row.getByText('It began with the caller\'s words: "We are 7 people."', { exact: false }).waitFor();
    await expectFit(operator, "conversations-analyzed");
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByLabel("Result").selectOption("Successful");
    await expect.poll(() => new URL(page.url()).search).toBe("?successful=success");

    const viewer = await visitAs(operator, `/conversations/${id}`, "viewer");
    await panelOf(viewer).getByRole("heading", { name: "Analysis" }).waitFor();
    await expect
      .poll(() => panelOf(viewer).getByText("Hidden: your role", { exact: false }).count())
      .toBeGreaterThan(1);
    expect(
      await panelOf(viewer)
        .getByRole("button", { name: /Analyze/ })
        .count(),
    ).toBe(0);
  });

  it("says why it failed or was skipped, marks unverified values, and hides contradicted ones", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    const data = [{ name: "party_size", type: "number", description: "How many people come." }];
    await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, { analysis: { enabled: true, data } });
    const id = await held(account, "We are 7 people.");
    const address = `/api/v1/conversations/${id}`;
    await expect.poll(async () => (await account.server<Held>("GET", address)).analysis?.status).toBe("done");
    let changed: object = {};
    await page.route(`**${address}`, async (route) => {
      const response = await route.fetch();
      const body: { analysis: object } = await response.json();
      await route.fulfill({
        response,
        json: Object.assign(body, { analysis: Object.assign({}, body.analysis, changed) }),
      });
    });
    const panel = panelOf(operator);
    await operator.goTo("/conversations");
    const open = async () => {
      await follow(page, "/conversations");
      await panel.waitFor({ state: "detached" });
      await follow(page, `/conversations/${id}`);
    };
    const nothing = { summary: null, successful: "unknown", criteria: [], data: {} };
    for (const [analysis, words, picture] of [
      [
        { status: "failed", reason: "the model did not answer" },
        "The analysis failed: the model did not answer",
        "failed",
      ],
      [{ status: "failed", reason: "budget" }, "The analysis failed: a budget was used up.", null],
      [{ status: "failed", reason: null }, "The analysis failed: no reason was given.", null],
      [{ status: "skipped", reason: "no person said anything" }, "Not analyzed: no person said anything", "skipped"],
    ] as const) {
      changed = Object.assign({}, nothing, analysis);
      await open();
      await panel.getByText(words, { exact: false }).waitFor();
      await expect.poll(() => panel.getByRole("list", { name: "Values" }).count()).toBe(0);
      await panel.getByRole("button", { name: "Analyze again" }).waitFor();
      if (picture) await expectFit(operator, `conversation-analysis-${picture}`);
    }
    changed = { data: { party_size: { value: null, state: "invalid", turns: [], by: null } } };
    await open();
    const size = panel.getByRole("list", { name: "Values" }).getByRole("listitem").filter({ hasText: "Party size" });
    await size.getByText("Not supported by the transcript").waitFor();
    await size.getByText("so it isn't shown.", { exact: false }).waitFor();
    await expect.poll(() => size.getByText("7", { exact: true }).count()).toBe(0);
    await expectFit(operator, "conversation-analysis-invalid");
    changed = { data: { party_size: { value: 8, state: "unverified", turns: [], by: "caller" } } };
    await open();
    await size.getByText("Unverified", { exact: true }).waitFor();
    await size.getByText("8", { exact: true }).waitFor();
    await size.getByText("The model found this, but the transcript doesn't confirm it.", { exact: false }).waitFor();
    await expect.poll(() => size.getByText("The caller said it").count()).toBe(0);
    await expectFit(operator, "conversation-analysis-unverified");
  });

  it("can be requested later, and its conversation can become a test", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const id = await held(account, "My address is ada@lovelace.example.");
    await goTo(`/conversations/${id}`);
    const panel = panelOf(operator);
    await panel.getByText("This conversation wasn't analyzed", { exact: false }).waitFor();
    await panel.getByRole("button", { name: "Create a test from this conversation" }).click();
    await page.getByText("Test created. Check its expectations, then run it.").waitFor();
    await page.getByLabel("Message 1", { exact: true }).waitFor();
    await expect.poll(() => page.getByLabel("Message 1", { exact: true }).inputValue()).not.toContain("lovelace");
    await page.getByRole("link", { name: "View conversation" }).click();
    await panel.getByRole("button", { name: "Analyze now" }).waitFor();
  });
});
