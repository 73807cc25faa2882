import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { silence } from "../silence.ts";
import { installLab, labOf } from "../voice-lab.ts";
import { atAgent, button, GREETING, link, tab } from "./at-agent.ts";
import { expectFit, type Operator, serveConsole, withSession } from "./operator.ts";

serveConsole();

const HOURS = "We are open from 9 to 18, see https://shop.example/hours.";

describe("talking to an agent", () => {
  /** Gives the agent an FAQ and a tool that fails. */
  async function arm({ account }: Operator): Promise<void> {
    const { id } = account.agent;
    const faq = { name: "shop_hours", title: "Opening hours", content: HOURS };
    await account.server("POST", "/api/v1/faqs", faq);
    await account.server("POST", `/api/v1/agents/${id}/faqs`, { faq_id: faq.name });
    await account.server("POST", "/api/v1/tools", {
      name: "track_order",
      description: "Tells where an order is.",
      implementation_type: "http",
      implementation_config: { method: "GET", url: "https://orders.invalid/{order_number}" },
      schema: { type: "object", properties: { order_number: { type: "string" } }, required: ["order_number"] },
    });
    await account.server("PUT", `/api/v1/agents/${id}/tools`, { tool_name: "track_order" });
  }
  const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
  const say = async (page: Page, text: string) => {
    await page.getByLabel("Message to Ada").fill(text);
    await page.getByLabel("Message to Ada").press("Enter");
  };

  it("works by text: answers and tools appear as they arrive, and the conversation ends and begins again", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    await arm(operator);
    const greeting_message = "Hello {{first_name|there}}, this is {{agent_name}}.";
    await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, { greeting_message });
    await operator.goTo(`/agents/${account.agent.id}/talk`);
    await page.getByLabel("first_name").fill("Grace");
    await button(page, "Start talking").click();
    await log(page).getByText("Hello Grace, this is Ada.").waitFor();
    await say(page, "When are you open?");
    await log(page).getByText(HOURS.slice(0, 28)).waitFor();
    expect(await log(page).getByRole("link", { name: "https://shop.example/hours" }).getAttribute("rel")).toContain(
      "noopener",
    );
    await say(page, "Please track order 4711");
    await log(page).getByText("track_order").waitFor();
    await log(page).getByText("failed", { exact: true }).waitFor();
    await expectFit(operator, "agent-talk");
    const transcript = await link(page, "Transcript").getAttribute("href");
    await say(page, "Bye");
    await page.getByText("The agent ended the conversation.").waitFor();
    await log(page).getByText("end_call").waitFor();
    expect(await log(page).getByText("done", { exact: true }).count()).toBeGreaterThan(0);
    expect(await page.getByLabel("Message to Ada").isVisible()).toBe(false);
    const id = transcript?.split("/").at(-1);
    await expect
      .poll(() => account.server("GET", `/api/v1/conversations/${id}`))
      .toMatchObject({ kind: "test", status: "ended", variables: { first_name: "Grace" } });
    await button(page, "Start again").click();
    await log(page).getByText("Hello Grace, this is Ada.").waitFor();
    await expect.poll(() => log(page).getByText("Bye").count()).toBe(0);
    expect(await link(page, "Transcript").getAttribute("href")).not.toBe(transcript);
  });

  it("works by voice if the browser supports it", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    await arm(operator);
    await installLab(page, { speaks: true });
    const lab = labOf(page);
    await operator.goTo(`/agents/${account.agent.id}/talk`);
    await button(page, "Start talking").click();
    await log(page).getByText(GREETING).waitFor();
    await button(page, "Talk by voice").click();
    await expect.poll(lab.listening).toEqual(["on"]);
    // The agent's last words are spoken again.
    await expect.poll(async () => (await lab.spoken()).join(" ")).toBe(GREETING);
    await lab.final("When are you open?");
    await log(page).getByText("When are you open?").waitFor();
    await log(page).getByText(HOURS.slice(0, 28)).waitFor();
    await expect.poll(async () => (await lab.spoken()).join(" ")).toContain("We are open from 9 to 18");
    await tab(page, "Prompt").click();
    await expect.poll(lab.listening).toEqual(["over"]);
  });

  it("Talk plays the agent's own voice in place of the browser's", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    await account.server("POST", "/api/v1/integrations/elevenlabs/install", { secrets: { api_key: "key-1" } });
    const own = { voice_provider: "elevenlabs", voice_id: "JBFqnCBsd6RMkjVDRZzb" };
    await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, own);
    let parts = 0;
    await page.route("**/api/v1/widget/speech/*", (route) => {
      parts++;
      return route.fulfill({ body: silence(100), contentType: "audio/wav" });
    });
    await installLab(page, { speaks: false });
    const lab = labOf(page);
    await operator.goTo(`/agents/${account.agent.id}/talk`);
    await button(page, "Start talking").click();
    await log(page).getByText(GREETING).waitFor();
    await button(page, "Talk by voice").click();
    await expect.poll(lab.listening).toEqual(["on"]);
    await expect.poll(() => parts).toBeGreaterThan(0);
    await lab.final("Can I talk about something?");
    const greeted = parts;
    await expect.poll(() => parts).toBeGreaterThan(greeted);
    expect(await lab.spoken()).toEqual([]);
  });

  it("explains why no conversation is possible", async () => {
    const operator = await atAgent("/talk");
    const { page, account } = operator;
    await account.server("DELETE", `/api/v1/agents/${account.agent.id}`);
    await button(page, "Start talking").click();
    await page.getByRole("alert").getByText("Agent not found").waitFor();
  });
});
