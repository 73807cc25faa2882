import { describe, expect, it } from "vitest";
import type { Account } from "../service.ts";
import { expectFit, search, serveConsole, withSession } from "./operator.ts";

serveConsole();

const FROM = "+12025550100";

const withNumber = ({ server }: Account) =>
  server("POST", "/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });

describe("Calls", () => {
  it("can choose one of 505 agents by typing, with the keyboard only", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    await withNumber(account);
    const agents = await account.server<{ id: string; name: string }[]>("GET", "/api/v1/agents");
    const many = Array.from({ length: 505 }, (_, i) => ({ id: crypto.randomUUID(), name: `Agent ${i}` }));
    await page.route("**/api/v1/agents", (route) =>
      route.fulfill({ json: [...agents, ...many.map((agent) => Object.assign({}, agents[0], agent))] }),
    );
    await operator.goTo("/calls/new");
    const field = page.getByRole("combobox", { name: "Agent", exact: true });
    await search(field, "404", "Agent 404");
    expect(await field.inputValue()).toBe("Agent 404");
    await field.press("ControlOrMeta+a");
    await page.keyboard.type("agent 12");
    await page.getByRole("option", { name: "Agent 12", exact: true }).waitFor();
    const first = page.getByRole("listbox").getByRole("option").first();
    await expect.poll(() => first.textContent()).toBe("Agent 12");
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("Agent 12");
    // A search without results doesn't change the choice.
    await field.fill("nobody such");
    await page.getByText("No matches").waitFor();
    await expectFit(operator, "searchable-select");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await expect.poll(() => field.inputValue()).toBe("Agent 12");
  });

  it("a call is placed from a form that explains refusals, and followed until it ends", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    await withNumber(account);
    await account.server("POST", "/api/v1/do-not-call", { numbers: ["+13035550143"] });
    await operator.goTo("/calls");
    await page.getByText("No calls yet").waitFor();
    await page.getByRole("link", { name: "Place a call" }).first().click();
    const form = page.getByRole("complementary", { name: "Place a call" });
    // The form is beside the list, not below its last row.
    const listEnds = () =>
      page.getByRole("heading", { name: "Calls", level: 1 }).evaluate((h) => h.getBoundingClientRect());
    const formBegins = () => form.evaluate((panel) => panel.getBoundingClientRect());
    expect((await formBegins()).left).toBeGreaterThan((await listEnds()).right);
    await form.getByLabel("Agent").selectOption("Ada");
    expect(await form.getByLabel("From").inputValue()).toBe(FROM);
    const call = form.getByRole("button", { name: "Call now" });
    await form.getByLabel("To").fill("0303 555 0143");
    await call.click();
    await form.getByText("must be a valid phone number").waitFor();
    await form.getByLabel("To").fill("+1 303 555 0143");
    await call.click();
    await form.getByText("This number is on the do-not-call list, so it wasn't called.").waitFor();
    await expectFit(operator, "call-new");
    await form.getByLabel("To").fill("+1 303 555 0101");
    await call.click();
    await page.getByText("The line was busy.").first().waitFor();
    const { calls } = await account.server<{ calls: { status: string; to_number: string }[] }>("GET", "/api/v1/calls");
    expect(calls).toEqual([expect.objectContaining({ status: "busy", to_number: "+13035550101" })]);
    await expectFit(operator, "calls");
  });

  it("cannot be placed if the agents cannot be loaded", async () => {
    const { page, account, goTo } = await withSession();
    await withNumber(account);
    const refusal = { status: 403, contentType: "application/json", body: '"not now"' };
    await page.route("**/api/v1/agents", (route) => route.fulfill(refusal));
    await goTo("/calls/new");
    const form = page.getByRole("complementary", { name: "Place a call" });
    await form.getByText("Not now").waitFor();
    await page.unroute("**/api/v1/agents");
    await form.getByRole("button", { name: "Try again" }).click();
    await form.getByLabel("Agent").selectOption("Ada");
  });

  it("a call is hung up after a confirmation", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    await withNumber(account);
    const order = { agent_id: account.agent.id, from_number: FROM, to_number: "+13035550106" };
    // The end of the call is never reported, so the call continues until it is hung up.
    const { call_id } = await account.server<{ call_id: string }>("POST", "/api/v1/calls/originate", order);
    await goTo(`/calls/${call_id}`);
    const panel = page.getByRole("complementary", { name: "+1 303 555 0106" });
    const row = page.getByRole("row").filter({ hasText: "+1 303 555 0106" });
    await row.getByText("In progress").waitFor();
    expect((await row.textContent())?.match(/in progress/gi)).toHaveLength(1);
    await panel.getByRole("button", { name: "Hang up" }).click();
    const question = page.getByRole("alertdialog", { name: "Hang up this call?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await panel.getByRole("button", { name: "Hang up" }).isVisible()).toBe(true);
    await panel.getByRole("button", { name: "Hang up" }).click();
    await question.getByRole("button", { name: "Hang up" }).click();
    await expect.poll(() => panel.getByRole("button", { name: "Hang up" }).count()).toBe(0);
  });

  it("the question whether to hang up is withdrawn when another call is shown, and neither call is hung up", async () => {
    const { page, account, goTo } = await withSession();
    await withNumber(account);
    const place = async (to_number: string) => {
      const order = { agent_id: account.agent.id, from_number: FROM, to_number };
      return (await account.server<{ call_id: string }>("POST", "/api/v1/calls/originate", order)).call_id;
    };
    const endOf = async (id: string) =>
      (await account.server<{ ended_at: string | null }>("GET", `/api/v1/calls/${id}`)).ended_at;
    const [earlier, asked] = [await place("+13035550106"), await place("+13035550206")];
    await goTo(`/calls/${earlier}`);
    await page.getByRole("complementary", { name: "+1 303 555 0106" }).getByText("In progress.").waitFor();
    await page.getByRole("link", { name: "+1 303 555 0206" }).click();
    const panel = page.getByRole("complementary", { name: "+1 303 555 0206" });
    await panel.getByRole("button", { name: "Hang up" }).click();
    await page.goBack();
    await page.getByRole("complementary", { name: "+1 303 555 0106" }).waitFor();
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    expect([await endOf(earlier), await endOf(asked)]).toEqual([null, null]);
  });
});

describe("Recordings", () => {
  it("can be played, lead to their call, and can be deleted", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    await withNumber(account);
    const order = { agent_id: account.agent.id, from_number: FROM, to_number: "+13035550113" };
    const { call_id } = await account.server<{ call_id: string }>("POST", "/api/v1/calls/originate", order);
    const list = () => account.server<{ recordings: { id: string }[] }>("GET", "/api/v1/recordings");
    await expect.poll(async () => (await list()).recordings.length).toBe(1);
    const [recording] = (await list()).recordings;
    await goTo("/recordings");
    await page.getByRole("table").getByRole("link").first().click();
    const panel = page.getByRole("complementary", { name: "Recording" });
    await panel.getByText("+1 303 555 0113").waitFor();
    await expectFit(operator, "recording");
    const audio = page.waitForResponse((response) => response.url().includes(`/${account.name}/${recording?.id}`));
    await panel.getByRole("button", { name: "Play" }).click();
    expect((await audio).headers()["content-type"]).toBe("audio/wav");
    const saved = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Download" }).click();
    expect((await saved).suggestedFilename()).toBe(`recording-${recording?.id}.wav`);
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No recordings yet").waitFor();
    expect((await list()).recordings).toEqual([]);
    await goTo(`/calls/${call_id}`);
    await page.getByText("Not received, or deleted.").waitFor();
  });
});
