import { describe, expect, it } from "vitest";
import { atAgent, button, stored } from "./at-agent.ts";
import { expectFit, serveConsole } from "./operator.ts";

serveConsole();

const HEBREW = "שלום, מי שם?";
const JAPANESE = "もしもし、営業時間を教えてください。";

describe("an agent's languages", () => {
  it("an agent's languages are set with the sentences that callers hear in them", async () => {
    const operator = await atAgent("/settings");
    const { page } = operator;
    const language = page.getByLabel("Language", { exact: true });
    await page.getByText("Built-in sentences", { exact: true }).click();
    await page.getByText("Built in: “One moment, please.”").waitFor();
    await language.fill("de-AT");
    await page.getByText("Built in: “Einen Moment, bitte.”").waitFor();
    await language.fill("tr-TR");
    await page.getByText("There is none in this language. Callers hear: “One moment, please.”").waitFor();
    await language.fill("German");
    await button(page, "Save changes").click();
    await page.getByText("did you mean de-DE?").waitFor();
    await language.fill("de-de");
    await page.getByLabel("While the caller waits").fill("Moment …");
    await page.getByLabel("Other languages").fill("he-IL");
    await page.getByLabel("Other languages").press("Enter");
    await page.getByLabel("Key terms").fill("Hafenrad");
    await page.getByLabel("Key terms").press("Enter");
    await button(page, "Save changes").click();
    await expect
      .poll(() => stored(operator))
      .toMatchObject({
        language: "de-DE",
        languages: ["he-IL"],
        key_terms: ["Hafenrad"],
        phrases: { filler: "Moment …", silence: null },
      });
    await expectFit(operator, "agent-languages");
  });

  it("say at each setting what callers notice on a channel", async () => {
    const operator = await atAgent("/settings");
    const { page, account } = operator;
    await account.server("PATCH", `/api/v1/agents/${account.agent.id}`, {
      key_terms: ["Acme"],
      voicemail_message: "Call us back.",
      transfer_targets: [{ label: "Desk", number: "+12025550177" }],
    });
    await page.reload();
    await page.getByLabel("Show effects on").selectOption("Widget");
    await page.getByText("No effect on Widget: the visitor's browser takes no key terms. Instead: nothing.").waitFor();
    await page.getByText("Voicemail message: No effect on Widget: no machine answers.").waitFor();
    await page.getByText("No effect on Widget: there is no call to transfer.").waitFor();
    await page.getByLabel("Show effects on").selectOption("Telnyx");
    await expect.poll(() => page.getByText("takes no key terms").count()).toBe(0);
  });
});

describe("words in any script", () => {
  it.each([
    [HEBREW, "rtl", "he-IL"],
    [JAPANESE, "ltr", "ja-JP"],
  ])("words in any script are shown in their direction: %s", async (words, direction, language) => {
    const operator = await atAgent();
    const { page, account } = operator;
    const { server, agent } = account;
    await server("PATCH", `/api/v1/agents/${agent.id}`, { greeting_message: words, language, status: "active" });
    const own = "+12025550100";
    await server("POST", "/api/v1/telephony/numbers", { e164: own, provider: "sandbox", agent_id: agent.id });
    const placed = { to_number: own, says: [words] };
    const { call_id } = await server<{ call_id: string }>("POST", "/api/v1/sandbox/calls", placed);
    const callNow = () => server<{ conversation_id: string | null }>("GET", `/api/v1/calls/${call_id}`);
    await expect.poll(async () => (await callNow()).conversation_id).not.toBeNull();
    await operator.goTo(`/conversations/${(await callNow()).conversation_id}`);
    const line = page.getByRole("list", { name: "Transcript" }).getByText(words).first();
    // A turn of a live call is redrawn when it changes, so its element may be removed while it is measured.
    await expect.poll(() => line.evaluate((element) => getComputedStyle(element).direction)).toBe(direction);
    await operator.goTo(`/agents/${agent.id}`);
    const greeting = page.getByLabel("Greeting");
    await expect.poll(() => greeting.evaluate((element) => getComputedStyle(element).direction)).toBe(direction);
  });
});
