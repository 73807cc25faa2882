import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { launcher, lines, panel, serve, session, visit, write } from "./visit.ts";

serve({});

const GREETING = "Hello, I am Ada. What can I do for you?";
const FAQS = [{ name: "shop_hours", title: "Opening hours", content: "We are open from 9 to 18." }];
const OPEN = "From our FAQ “Opening hours”: We are open from 9 to 18.";
const QUESTION = "When are you open?";
const SAID = [GREETING, QUESTION, OPEN];

/** Opens a page for a visitor who has asked a question and received the answer. */
async function talking() {
  const visitor = await visit({ faqs: FAQS });
  await launcher(visitor.page).click();
  await write(visitor.page, QUESTION);
  await expect.poll(() => lines(visitor.page)).toEqual(SAID);
  return visitor;
}

const widgets = (page: Page) => page.evaluate(() => document.querySelectorAll("switchboard-widget").length);
const isThere = (page: Page) => page.evaluate(() => window.Switchboard !== undefined);

describe("the widget on a page that replaces its content", () => {
  it("stays once with its conversation when the body is replaced", async () => {
    const { page } = await talking();
    const visits = 3;
    for (let nth = 0; nth < visits; nth++)
      await page.evaluate(() => {
        // A page library keeps a copy of the body of the page that is left, and shows it when the visitor returns.
        const kept = document.body.cloneNode(true);
        document.documentElement.replaceChild(document.createElement("body"), document.body);
        document.documentElement.replaceChild(kept, document.body);
      });
    expect(await widgets(page)).toBe(1);
    expect(await lines(page)).toEqual(SAID);
    await write(page, QUESTION);
    await expect.poll(() => lines(page)).toEqual([...SAID, QUESTION, OPEN]);
  });

  it("stays when a view transition replaces the body's content", async () => {
    const { page } = await talking();
    await page.evaluate(async () => {
      await document.startViewTransition(() => document.body.replaceChildren(document.createElement("main"))).finished;
    });
    await page.evaluate(() => document.body.replaceChildren());
    expect(await widgets(page)).toBe(1);
    expect(await lines(page)).toEqual(SAID);
  });
});

describe("Switchboard.reset", () => {
  it("signs the visitor out: session, conversation and memory are gone", async () => {
    const visitor = await talking();
    const { page } = visitor;
    const first = await session(visitor, 1);
    await panel(page).getByRole("textbox").fill("My card number is");
    await page.evaluate(() => window.Switchboard?.reset());
    expect(await panel(page).count()).toBe(0);
    await page.reload();
    await launcher(page).waitFor();
    expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({});
    await launcher(page).click();
    expect((await session(visitor, 1)).visitor.id).not.toBe(first.visitor.id);
    expect(await lines(page)).toEqual([GREETING]);
    expect(await panel(page).getByRole("textbox").inputValue()).toBe("");
  });

  it("prevents a session that was about to begin", async () => {
    const visitor = await visit({ faqs: FAQS });
    const { page } = visitor;
    const held = Promise.withResolvers<void>();
    await page.route("**/auth/guest", async (route) => {
      await held.promise;
      await route.continue();
    });
    const requested = page.waitForRequest("**/auth/guest");
    await launcher(page).click();
    await requested;
    await page.evaluate(() => window.Switchboard?.reset());
    const answered = page.waitForResponse("**/auth/guest");
    held.resolve();
    await answered;
    await launcher(page).click();
    await session(visitor, 1);
    expect(visitor.calls.filter((path) => path.endsWith("/auth/guest"))).toHaveLength(2);
    expect(await lines(page)).toEqual([GREETING]);
  });
});

describe("Switchboard.destroy", () => {
  it("permanently removes the widget from the page", async () => {
    const { page } = await talking();
    await page.evaluate(() => window.Switchboard?.destroy());
    await page.evaluate(() => document.documentElement.replaceChild(document.createElement("body"), document.body));
    expect([await widgets(page), await isThere(page)]).toEqual([0, false]);
  });

  it("leaves nothing in the tab after a reset", async () => {
    const { page } = await talking();
    await page.evaluate(() => {
      window.Switchboard?.reset();
      window.Switchboard?.destroy();
    });
    expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({});
  });

  it("keeps the conversation for the tab's next page", async () => {
    const { page } = await talking();
    await page.evaluate(() => window.Switchboard?.destroy());
    await page.reload();
    await panel(page).waitFor();
    expect(await lines(page)).toEqual(SAID);
  });
});
