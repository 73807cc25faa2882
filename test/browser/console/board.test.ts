import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Account } from "../service.ts";
import { expectFit, type Operator, serveConsole, withSession } from "./operator.ts";

serveConsole();

const FROM = "+12025550142";
interface Campaign {
  id: string;
  status: string;
  counts: Record<"pending" | "originated" | "connected" | "completed" | "failed" | "cancelled", number>;
}

/**
 * Creates a draft with contacts whose numbers have these endings, which determine the outcome in the sandbox: 10 is
 * answered, 01 is busy.
 */
async function draft({ account }: Operator, endings: string[], settings: Record<string, string> = {}): Promise<string> {
  await account.server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
  const rows = endings.map((ending, i) => `+1202${510 + i}01${ending},Person ${i + 1}`);
  const form = new FormData();
  form.set("contacts", new File([`phone_number,name\n${rows.join("\n")}`], "contacts.csv", { type: "text/csv" }));
  const given = { name: "Spring check", agent_id: account.agent.id, from_number: FROM, ...settings };
  for (const [name, value] of Object.entries(given)) form.set(name, value);
  return (await account.upload<Campaign>("/api/v1/campaigns", form)).id;
}

const start = ({ account }: Operator, id: string) => account.server("POST", `/api/v1/campaigns/${id}/start`);
const stored = (account: Account, id: string) => account.server<Campaign>("GET", `/api/v1/campaigns/${id}`);

/** Returns the board's counts by the labels of its legend. */
async function counted(page: Page): Promise<Record<string, number>> {
  const entries = await page.getByRole("list", { name: "Progress" }).getByRole("listitem").allInnerTexts();
  return Object.fromEntries(
    entries.map((entry) => {
      const [words = "", number = ""] = entry.split(/\s*\n\s*/).filter((part) => part !== "");
      return [words, Number(number.replaceAll(",", ""))];
    }),
  );
}

/** Checks that the board agrees with the service and lists every contact once. */
async function expectSame({ page, account }: Operator, id: string, contacts: number): Promise<void> {
  const { counts } = await stored(account, id);
  await expect
    .poll(async () => {
      const { Answered = 0, Waiting = 0, Canceled = 0, "In a call": calls = 0, ...failed } = await counted(page);
      const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
      return { completed: Answered, pending: Waiting, cancelled: Canceled, calls, failed: failures };
    })
    .toEqual({
      completed: counts.completed,
      pending: counts.pending,
      cancelled: counts.cancelled,
      calls: counts.originated + counts.connected,
      failed: counts.failed,
    });
  const list = page.getByRole("region", { name: "Contacts" });
  expect(await list.locator("tbody").getByRole("row").count()).toBe(contacts);
  const repeated = async () => {
    const numbers = await list.getByRole("row").getByRole("link").allInnerTexts();
    return numbers.filter((number, index) => numbers.indexOf(number) !== index);
  };
  await expect.poll(repeated).toEqual([]);
}

const state = (page: Page, words: string) =>
  page.getByRole("status").getByText(words, { exact: true }).first().waitFor();

describe("a campaign's board", () => {
  it("a campaign's board is live from the draft to the end", async () => {
    const operator = await withSession();
    const { page } = operator;
    const endings = ["10", "01", "11", "02", "12", "05", "13", "04", "14", "15"];
    const id = await draft(operator, endings);
    await operator.goTo(`/campaigns/${id}`);
    await page.getByText("10 contacts, none called yet.").waitFor();
    await page.getByText("Waiting for start").first().waitFor();
    await expectFit(operator, "campaign-draft");
    await page.getByRole("button", { name: "Review and start" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/campaigns/${id}/plan`);
    await page.getByRole("button", { name: /^Start/ }).waitFor();
    expect(await page.getByRole("button", { name: "Review and start" }).count()).toBe(0);
    await page.getByRole("link", { name: "Board", exact: true }).click();
    await start(operator, id);
    await state(page, "Completed");
    await expectSame(operator, id, 10);
    const outcomes = { Answered: 6, Busy: 1, "No answer": 1, "Answering machine": 1, Rejected: 1 };
    await expect.poll(() => counted(page)).toEqual(outcomes);
    await expect.poll(() => page.getByText("Appears when calls have ended.").count()).toBe(0);
    await expectFit(operator, "campaign-completed");
    // Each count of the legend opens its contacts and is in the address.
    await page.getByRole("link", { name: "Busy" }).click();
    await page.getByRole("heading", { name: "1 contact found" }).waitFor();
    expect(new URL(page.url()).search).toBe("?status=failed&outcome=busy");
    await page.getByLabel("Outcome").selectOption("All");
    await page.getByRole("heading", { name: "4 contacts found" }).waitFor();
    await page.getByLabel("Search by number or text").fill("person 99");
    await page.getByText("No matching contacts").waitFor();
    await page.getByRole("button", { name: "Show all contacts" }).click();
    await page.getByRole("heading", { name: "Contacts", exact: true }).waitFor();
  });

  it("a campaign's board pauses, resumes and reconnects without missing or repeating an event", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    const endings = Array.from({ length: 40 }, (_, i) => (i % 5 === 4 ? "01" : String(20 + i)));
    const id = await draft(operator, endings, { max_concurrency: "1" });
    await start(operator, id);
    await operator.goTo(`/campaigns/${id}`);
    await state(page, "Running");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("1 of 1", { exact: true }).waitFor();

    await page.context().setOffline(true);
    await page.getByText("Reconnecting…").waitFor();
    const { counts } = await stored(account, id);
    await expect.poll(async () => (await stored(account, id)).counts.completed).toBeGreaterThan(counts.completed + 1);
    await page.context().setOffline(false);
    await page.getByText("Live", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Pause" }).click();
    await state(page, "Paused");
    await page.getByText("No calls are being placed.").waitFor();
    await expectSame(operator, id, 40);
    await expectFit(operator, "campaign-paused");
    await account.server("PATCH", `/api/v1/campaigns/${id}`, { max_concurrency: 40 });
    await page.getByRole("button", { name: "Resume" }).click();
    await state(page, "Completed");
    await expectSame(operator, id, 40);
  });

  it("a campaign is stopped after its consequences are confirmed", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    const id = await draft(
      operator,
      Array.from({ length: 60 }, (_, i) => String(20 + i)),
      { max_concurrency: "1" },
    );
    await start(operator, id);
    await operator.goTo(`/campaigns/${id}`);
    await page.getByText("1 call now.").waitFor();
    await expectFit(operator, "campaign-running");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("No calls are being placed.").waitFor();
    const { pending } = (await stored(account, id)).counts;
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Stop this campaign?" });
    await question.getByText(`Stop: ${pending} people won't be called. This can't be undone.`).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    expect((await stored(account, id)).status).toBe("paused");
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await question.getByRole("button", { name: "Stop campaign" }).click();
    await state(page, "Stopped");
    await expect.poll(() => counted(page)).toMatchObject({ Canceled: pending });
    await expectSame(operator, id, 60);
    await expect.poll(() => page.getByRole("button", { name: "Stop", exact: true }).count()).toBe(0);

    await page.getByRole("button", { name: `Call those not reached (${pending})` }).click();
    await page.getByRole("heading", { name: "Spring check, not reached" }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/campaigns\/[^/]+\/plan$/);
    await page.getByText(`${pending} contacts, none called yet.`).waitFor();
  });

  it("lists contacts page by page, and keeps rows under the pointer in place while people are called", async () => {
    const operator = await withSession();
    const { page } = operator;
    const endings = Array.from({ length: 130 }, (_, i) => String(20 + (i % 70)));
    const id = await draft(operator, endings, { max_concurrency: "1" });
    await operator.goTo(`/campaigns/${id}`);
    const list = page.getByRole("region", { name: "Contacts" });
    const rows = list.locator("tbody").getByRole("row");
    await page.getByText("100 of 130", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("130 of 130", { exact: true }).waitFor();
    await page.getByLabel("Search by number or text").fill("person 130");
    await page.getByRole("heading", { name: "1 contact found" }).waitFor();
    expect(await rows.getByRole("link").allInnerTexts()).toEqual(["+1 202 639 0179"]);
    await page.getByLabel("Search by number or text").fill("");
    await page.getByText("130 of 130", { exact: true }).waitFor();

    const first = () => rows.first().getByRole("link").innerText();
    await start(operator, id);
    await expect.poll(first).not.toBe("+1 202 510 0120");
    await rows.nth(2).hover();
    await page.getByText("Answered", { exact: true }).first().waitFor();
    const held = await rows.allInnerTexts();
    const numbers = (texts: string[]) => texts.map((text) => text.split("\t")[0]);
    const { counts } = await stored(operator.account, id);
    await expect
      .poll(async () => (await stored(operator.account, id)).counts.completed)
      .toBeGreaterThan(counts.completed + 2);
    expect(numbers(await rows.allInnerTexts())).toEqual(numbers(held));
    await page.getByRole("button", { name: "Stop", exact: true }).hover();
    await expect.poll(async () => numbers(await rows.allInnerTexts())).not.toEqual(numbers(held));
  });

  it("lets contacts be corrected, canceled and called again", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    const id = await draft(operator, ["10", "01", "12"]);
    await operator.goTo(`/campaigns/${id}`);
    const list = page.getByRole("region", { name: "Contacts" });
    await list.getByRole("link").nth(0).click();
    const panel = page.getByRole("complementary");
    await panel.getByText("Not called yet: the campaign is draft.").waitFor();
    await panel.getByRole("textbox", { name: "Number" }).fill("12");
    await panel.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => panel.getByLabel("Number").getAttribute("aria-invalid")).toBe("true");
    await panel.getByRole("textbox", { name: "Number" }).fill("+1 202 555 0111");
    await panel.getByLabel("name", { exact: true }).fill("Ada Lovelace");
    await panel.getByRole("button", { name: "Save changes" }).click();
    await list.getByRole("link", { name: "+1 202 555 0111" }).waitFor();
    await expectFit(operator, "campaign-contact");
    await panel.getByRole("button", { name: "Close" }).click();
    await list.getByText("Ada Lovelace").waitFor();

    await list.getByRole("link").nth(2).click();
    await panel.getByRole("button", { name: "Cancel contact" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel contact" }).click();
    await panel.getByText("Canceled").first().waitFor();
    await panel.getByRole("button", { name: "Close" }).click();

    await start(operator, id);
    await state(page, "Completed");
    await expect.poll(() => counted(page)).toEqual({ Answered: 1, Busy: 1, Canceled: 1 });
    const counting = Promise.withResolvers<void>();
    await page.route(/outcome=/, (route) => counting.promise.then(() => route.fallback()));
    await page.reload();
    await page.getByRole("button", { name: "Call again…" }).click();
    const dialog = page.getByRole("dialog", { name: "Call people again" });
    // Whom it would call isn't known yet.
    await dialog.getByRole("button", { name: "Call again", exact: true }).waitFor();
    expect(await dialog.getByRole("button", { name: "Call again", exact: true }).isDisabled()).toBe(true);
    counting.resolve();
    await dialog.getByLabel("Busy: 1").waitFor();
    await page.unroute(/outcome=/);
    await dialog.getByRole("button", { name: "Call 1 person again" }).click();
    await state(page, "Paused");
    await page.getByRole("button", { name: "Resume" }).click();
    await state(page, "Completed");
    await list.getByRole("link", { name: "+1 202 511 0101" }).click();
    await panel.getByText("Call 2").waitFor();
    const { contacts } = await account.server<{ contacts: { attempt_count: number }[] }>(
      "GET",
      `/api/v1/campaigns/${id}/contacts`,
    );
    expect(contacts.map(({ attempt_count }) => attempt_count)).toEqual([1, 2, 0]);
  });
});
