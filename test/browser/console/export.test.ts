import { readFile } from "node:fs/promises";
import Papa from "papaparse";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Account } from "../service.ts";
import { serveConsole, withSession } from "./operator.ts";

serveConsole();

const FROM = "+12025550100";
/** Sandbox numbers. Their last two digits make the first one busy and the other two answer. */
const [BUSY, ADA, GRACE] = ["+13035550101", "+13035550110", "+13035550210"];

interface Saved {
  name: string;
  rows: Record<string, string>[];
}

/** Returns the CSV that a button saves. */
async function saved(button: Locator): Promise<Saved> {
  const download = button.page().waitForEvent("download");
  await button.click();
  const file = await download;
  const text = await readFile(await file.path(), "utf8");
  return {
    name: file.suggestedFilename(),
    rows: Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data,
  };
}

/** Lets the agent call all three, and waits until each call is over and listed with its conversation. */
async function callAll({ server, agent }: Account): Promise<void> {
  await server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
  for (const to_number of [BUSY, ADA, GRACE])
    await server("POST", "/api/v1/calls/originate", { agent_id: agent.id, from_number: FROM, to_number });
  const over = async () => {
    const { calls } = await server<{ calls: { ended_at: string | null; conversation_id: string | null }[] }>(
      "GET",
      "/api/v1/calls",
    );
    return calls.filter(({ ended_at }) => ended_at !== null).filter(({ conversation_id }) => conversation_id).length;
  };
  await expect.poll(over).toBe(2);
}

describe("the export buttons", () => {
  it("save the filtered calls and conversations, or all without a filter", async () => {
    const { page, account, goTo } = await withSession();
    await callAll(account);
    const button = page.getByRole("button", { name: "Export CSV" });
    const links = page.getByRole("table").getByRole("link", { name: /^\+1/ });
    await goTo("/calls");
    await expect.poll(() => links.count()).toBe(3);
    const calls = await saved(button);
    expect([calls.name, calls.rows.map(({ to_number }) => to_number).sort()]).toEqual([
      "calls.csv",
      [BUSY, ADA, GRACE].sort(),
    ]);
    await page.getByLabel("Status", { exact: true }).selectOption("busy");
    await expect.poll(() => links.count()).toBe(1);
    expect((await saved(button)).rows).toMatchObject([{ to_number: BUSY, status: "busy" }]);

    await goTo("/conversations");
    await expect.poll(() => links.count()).toBe(2);
    const conversations = await saved(button);
    expect([conversations.name, conversations.rows.map(({ phone_number }) => phone_number).sort()]).toEqual([
      "conversations.csv",
      [ADA, GRACE].sort(),
    ]);
    await goTo(`/conversations?phone_number=${encodeURIComponent(GRACE)}`);
    await expect.poll(() => links.count()).toBe(1);
    expect((await saved(button)).rows).toMatchObject([{ phone_number: GRACE }]);
  });

  it("save a campaign's contacts as filtered, and its skipped rows", async () => {
    const { page, account, goTo } = await withSession();
    const list = `phone_number,name\n${ADA},Ada\n12,=1+1\n${GRACE},Grace\n${ADA},Ada again\n`;
    const form = new FormData();
    form.set("contacts", new File([list], "contacts.csv", { type: "text/csv" }));
    for (const [name, value] of Object.entries({ name: "Autumn", on_invalid: "skip" })) form.set(name, value);
    const { id } = await account.upload<{ id: string }>("/api/v1/campaigns", form);

    await goTo(`/campaigns/${id}`);
    const button = page.getByRole("button", { name: "Export CSV" });
    await page.getByRole("link", { name: "+1 303 555 0110" }).waitFor();
    const all = await saved(button);
    expect([all.name, all.rows.map(({ name }) => name)]).toEqual(["Autumn contacts.csv", ["Ada", "Grace"]]);
    await goTo(`/campaigns/${id}?search=gra`);
    await page.getByRole("link", { name: "+1 303 555 0210" }).waitFor();
    await page.getByRole("link", { name: "+1 303 555 0110" }).waitFor({ state: "detached" });
    expect((await saved(button)).rows).toMatchObject([{ phone_number: GRACE, name: "Grace" }]);

    await goTo(`/campaigns/${id}/import`);
    const rejects = await saved(page.getByRole("button", { name: "Download rejected rows" }));
    expect([rejects.name, rejects.rows]).toMatchObject([
      "Autumn rejected.csv",
      [{ phone_number: "12", name: "'=1+1", _line: "3" }],
    ]);
    const repeated = await saved(page.getByRole("button", { name: "Download duplicate rows" }));
    expect([repeated.name, repeated.rows]).toMatchObject([
      "Autumn repeated.csv",
      [{ phone_number: ADA, name: "Ada again", _line: "5", _first_line: "2" }],
    ]);
  });
});
