import { describe, expect, it, onTestFinished } from "vitest";
import type { Account } from "../service.ts";
import { expectFit, type Operator, serveConsole, visitAs, withSession } from "./operator.ts";

serveConsole();

const FROM = "+12025550100";
/** A sandbox caller with these digits asks for the opening hours, then for an order and its delivery time. */
const CURIOUS = "+13035550112";
const SANDBOX = { e164: FROM, provider: "sandbox" };

interface Call {
  call_id: string;
  conversation_id: string | null;
  recording_id: string | null;
}

/** Lets an agent hold a phone conversation, and returns its call once the recording exists. */
async function heldOnThePhone({ server, agent }: Account): Promise<Call & { conversation_id: string }> {
  await server("POST", "/api/v1/telephony/numbers", SANDBOX);
  const order = { agent_id: agent.id, from_number: FROM, to_number: CURIOUS, variables: { first_name: "Grace" } };
  const { call_id } = await server<Call>("POST", "/api/v1/calls/originate", order);
  const path = `/api/v1/calls/${call_id}`;
  await expect.poll(async () => (await server<Call>("GET", path)).recording_id).not.toBeNull();
  const { conversation_id, recording_id } = await server<Call>("GET", path);
  if (conversation_id === null) throw new Error("the call held no conversation");
  return { call_id, conversation_id, recording_id };
}

/** Opens a conversation of a team member who writes to the agent, and collects what the agent says. */
async function talking({ server, agent }: Account) {
  interface Session {
    access_token: string;
    runtime_url: string;
    conversation_id: string;
  }
  const session = await server<Session>("POST", `/api/v1/agents/${agent.id}/session`, {});
  const socket = new WebSocket(session.runtime_url);
  onTestFinished(() => socket.close());
  const answers: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const { type, text } = JSON.parse(String(data)) as { type: string; text?: string };
    if (type === "message" && text !== undefined) answers.push(text);
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  send({ type: "session", access_token: session.access_token });
  await expect.poll(() => answers.length).toBe(1);
  return {
    id: session.conversation_id,
    /** Writes a message and waits for the agent's response. */
    async write(text: string): Promise<void> {
      const before = answers.length;
      send({ type: "message", id: crypto.randomUUID(), text });
      await expect.poll(() => answers.length).toBeGreaterThan(before);
    },
    answers,
  };
}

const turnsOf = ({ page }: Operator) => page.getByRole("list", { name: "Transcript" }).getByRole("listitem");

/** Records from now on which turns are marked as playing, however briefly, and returns their indexes. */
async function turnsPlayed(operator: Operator): Promise<() => Promise<number[]>> {
  const played = await operator.page.evaluateHandle(() => new Set<number>());
  await turnsOf(operator).evaluateAll((turns, played) => {
    const note = () => {
      for (const [nth, turn] of turns.entries()) if (turn.hasAttribute("aria-current")) played.add(nth);
    };
    const observer = new MutationObserver(note);
    for (const turn of turns) observer.observe(turn, { attributeFilter: ["aria-current"] });
  }, played);
  return () => played.evaluate((played) => [...played]);
}

describe("Conversations", () => {
  it("a conversation is shown beside its recording, and can be deleted", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    const { conversation_id } = await heldOnThePhone(account);
    await operator.goTo("/conversations");
    const row = page.getByRole("link", { name: "+1 303 555 0112" });
    await row.waitFor();
    await expectFit(operator, "conversations");
    await row.click();
    const panel = page.getByRole("complementary", { name: "+1 303 555 0112" });
    await panel.getByText("How long does delivery take?").waitFor();
    // A tool use is collapsed until it is opened.
    const tool = turnsOf(operator).filter({ hasText: "end_call" });
    expect(await tool.getByText("the conversation ends").isVisible()).toBe(false);
    await tool.getByText("end_call").click();
    expect(await tool.getByText("the conversation ends").isVisible()).toBe(true);
    // The playing turn is marked, beginning with the clicked one.
    await panel.getByRole("slider", { name: "Position" }).waitFor();
    const audio = page.waitForResponse((response) => response.url().includes(`/api/recordings/${account.name}/`));
    const clicked = await turnsPlayed(operator);
    await turnsOf(operator).nth(2).click();
    expect([200, 206]).toContain((await audio).status());
    await expect.poll(clicked, { message: "the turns that are heard" }).toContain(2);
    await page.getByRole("slider", { name: "Position" }).fill("0");
    const pressed = await turnsPlayed(operator);
    await panel.getByRole("button", { name: "Play from" }).last().press("Enter");
    await expect.poll(pressed, { message: "the turns that are heard" }).toContain(6);
    await expectFit(operator, "conversation");
    await page.keyboard.press("f");
    await expect.poll(() => page.getByRole("heading", { name: "Conversations", exact: true }).isVisible()).toBe(false);
    await expectFit(operator, "conversation-page");
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No conversations yet").waitFor();
    await expect(account.server("GET", `/api/v1/conversations/${conversation_id}`)).rejects.toThrow("404");
  });

  it("a conversation that added a number to the do-not-call list offers to undo that", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const { conversation_id } = await heldOnThePhone(account);
    const address = `/api/v1/conversations/${conversation_id}`;
    await account.server("POST", "/api/v1/do-not-call", { numbers: [CURIOUS] });
    const listener = await visitAs(operator, "/", "analyst");
    for (const seen of [page, listener.page])
      await seen.route(`**${address}`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), opted_out: true } });
      });
    await goTo(`/conversations/${conversation_id}`);
    await page.getByRole("button", { name: "Undo opt-out…" }).click();
    const question = page.getByRole("alertdialog", { name: "Allow calls to +1 303 555 0112 again?" });
    await expectFit(operator, "conversation-undo-opt-out");
    await question.getByRole("button", { name: "Undo opt-out" }).click();
    // A number that was added manually stays.
    await page.getByText("+1 303 555 0112 stays on the do-not-call list").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Undo opt-out…" }).count()).toBe(0);

    await listener.goTo(`/conversations/${conversation_id}`);
    await listener.page.getByRole("heading", { name: "Transcript" }).waitFor();
    expect(await listener.page.getByRole("button", { name: "Undo opt-out…" }).count()).toBe(0);
  });

  it("the focus stays on a conversation's buttons while the conversation changes", async () => {
    const { page, account, goTo } = await withSession();
    const { conversation_id } = await heldOnThePhone(account);
    let disposition = "sold";
    await page.route(`**/api/v1/conversations/${conversation_id}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), disposition } });
    });
    await goTo(`/conversations/${conversation_id}`);
    await page.getByTitle("sold", { exact: true }).waitFor();
    const erase = page.getByRole("button", { name: "Erase this person" });
    await erase.focus();
    disposition = "not_sold";
    // Refetches, as when the user returns to the tab.
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await page.getByTitle("not_sold", { exact: true }).waitFor();
    expect(await erase.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it("conversations are filtered by the URL, and paged", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    // Each page has one row, so that two conversations make two pages.
    await page.route("**/api/v1/conversations?*", (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, "limit=1"),
      }),
    );
    const { id } = await talking(account);
    await talking(account);
    await operator.goTo("/conversations");
    const rows = page.getByRole("link", { name: "Team member" });
    await rows.waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => page.getByRole("button", { name: "Show more" }).count()).toBe(0);
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByLabel("Channel").selectOption("Phone");
    await page.getByText("No matching conversations").waitFor();
    expect(new URL(page.url()).search).toBe("?kind=call");
    await page.reload();
    await page.getByText("No matching conversations").waitFor();
    await page.getByLabel("Phone number").fill("555");
    await page.getByLabel("Phone number").press("Enter");
    await page.getByText("Include the country code").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await rows.last().click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/conversations/${id}`);
  });

  it("the tokens of a live conversation are those of its last fetch", async () => {
    const { page, account, goTo } = await withSession();
    const { id } = await talking(account);
    let input_tokens = 1_234;
    await page.route(`**/api/v1/conversations/${id}`, async (route) => {
      const response = await route.fetch();
      const found = await response.json();
      await route.fulfill({ response, json: { ...found, usage: { ...found.usage, input_tokens } } });
    });
    await goTo(`/conversations/${id}`);
    await page.getByText("Live transcript.").waitFor();
    input_tokens = 4_321;
    // Refetches, as when the user returns to the tab.
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await page.getByText("4,321 input").waitFor();
  });

  it("a conversation is followed live without loss or repetition over a broken connection", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const visitor = await talking(account);
    await visitor.write("What are your opening hours?");
    await goTo(`/conversations/${visitor.id}`);
    await page.getByText("Live transcript.").waitFor();
    await expect.poll(() => turnsOf(operator).count()).toBe(3);
    await visitor.write("How long does delivery take?");
    await expect.poll(() => turnsOf(operator).count()).toBe(5);
    await page.context().setOffline(true);
    await page.getByText("Connection lost.").waitFor();
    await visitor.write("How do returns work?");
    await page.context().setOffline(false);
    await page.getByText("Live transcript.").waitFor();
    await expect.poll(() => turnsOf(operator).count()).toBe(7);
    await expectFit(operator, "conversation-live");
    // The agent says goodbye, and the final record is requested.
    await visitor.write("Thank you, goodbye.");
    await page.getByText("The agent ended the conversation.").waitFor();
    interface Detail {
      turns: { role: string; text: string }[];
    }
    const { turns } = await account.server<Detail>("GET", `/api/v1/conversations/${visitor.id}`);
    const spoken = turns.filter(({ role }) => role !== "tool").map(({ text }) => text);
    const shown = await turnsOf(operator).locator("p").allTextContents();
    expect(shown).toEqual(spoken);
  });
});
