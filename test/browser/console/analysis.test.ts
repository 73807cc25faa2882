import { describe, expect, it, onTestFinished } from "vitest";
import type { Account } from "../service.ts";
import { expectFit, type Operator, serveConsole, signedIn, visitAs } from "./operator.ts";

serveConsole();

interface Held {
  status: string;
  analysis: { status: string } | null;
}

/** Has a team member say these to the agent, goodbye at last, and gives the conversation once its record stands. */
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
  it("is set up for an agent, shows what it found at the turns it rests on, and is made again", async () => {
    const operator = await signedIn();
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
    await page.getByText("The analysis is under way.", { exact: false }).waitFor();
    await size.getByText("7", { exact: true }).waitFor();

    await page.getByRole("link", { name: "Conversations", exact: true }).click();
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

  it("is asked for later where there was none, and its conversation becomes a test", async () => {
    const operator = await signedIn();
    const { page, account, goTo } = operator;
    const id = await held(account, "My address is ada@lovelace.example.");
    await goTo(`/conversations/${id}`);
    const panel = panelOf(operator);
    await panel.getByText("This conversation wasn't analyzed", { exact: false }).waitFor();
    await panel.getByRole("button", { name: "Make a test of this conversation" }).click();
    await page.getByText("Test made. Check what it expects, then run it.").waitFor();
    await page.getByLabel("Line 1", { exact: true }).waitFor();
    await expect.poll(() => page.getByLabel("Line 1", { exact: true }).inputValue()).not.toContain("lovelace");
    await page.getByRole("link", { name: "View the conversation" }).click();
    await panel.getByRole("button", { name: "Analyze now" }).waitFor();
  });
});
