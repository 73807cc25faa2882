import { describe, expect, it } from "vitest";
import { launcher, lines, panel, serve, session, status, userToken, visit, write } from "./visit.ts";

serve({});

const GREETING = "Hello, I am Ada. What can I do for you?";
const FAQS = [
  {
    name: "shop_hours",
    title: "Opening hours",
    content: "We are open from 9 to 18, see https://shop.example/hours.",
  },
  { name: "shop_returns", title: "Returns and refunds", content: "Return anything within 30 days." },
];
const OPEN = "From our FAQ “Opening hours”: We are open from 9 to 18, see https://shop.example/hours.";
const button = (page: Parameters<typeof panel>[0], name: string) => panel(page).getByRole("button", { name });

describe("a chat with the service's own runtime", () => {
  it("answers from the agent's FAQs, and greets once", async () => {
    const visitor = await visit({ faqs: FAQS });
    const { page } = visitor;
    await launcher(page).click();
    expect(await lines(page)).toEqual([GREETING]);
    await write(page, "When are you open?");
    await expect.poll(() => lines(page)).toEqual([GREETING, "When are you open?", OPEN]);
    const link = panel(page).getByRole("link", { name: "https://shop.example/hours" });
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    expect(await status(page)).toBe("");
    expect(await visitor.events("error")).toEqual([]);
    expect(await visitor.events("message")).toContainEqual({ from: "agent", text: OPEN });
  });

  it("shows the runtime's greeting, without unfilled variables", async () => {
    const greeting_message = "Hello {{first_name|there}}, this is {{agent_name}}.";
    const { page } = await visit({ agent: { greeting_message } });
    await launcher(page).click();
    expect(await lines(page)).toEqual(["Hello there, this is Ada."]);
    await write(page, "hello");
    await expect.poll(() => lines(page)).toHaveLength(3);
  });

  it("ends, and can begin a new one", async () => {
    const visitor = await visit({ faqs: FAQS });
    const { page } = visitor;
    await launcher(page).click();
    await write(page, "bye");
    await button(page, "Start again").waitFor();
    expect(await status(page)).toBe("This conversation has ended.");
    expect(await panel(page).getByRole("textbox").count()).toBe(0);
    await button(page, "Start again").click();
    await expect.poll(() => lines(page)).toEqual([GREETING]);
    await write(page, "Tell me about returns");
    await expect.poll(() => lines(page)).toHaveLength(3);
    // The visitor is the same in both conversations.
    const [first, second] = await visitor.events("session");
    expect(second?.visitor).toEqual(first?.visitor);
    const { conversations } = await visitor.account.server<{ conversations: { status: string }[] }>(
      "GET",
      "/api/v1/conversations",
    );
    expect(conversations.map((each) => each.status)).toEqual(["live", "ended"]);
  });

  it("a chat is replaced by a new one when the visitor signs in", async () => {
    const visitor = await visit({ faqs: FAQS });
    const { page } = visitor;
    await launcher(page).click();
    await write(page, "When are you open?");
    await expect.poll(() => lines(page)).toHaveLength(3);
    const token = await userToken(visitor.account, "user-7");
    expect(await page.evaluate((value) => window.Switchboard?.identify(value), token)).toBe(true);
    expect(await lines(page)).toEqual([GREETING]);
    await write(page, "What about returns?");
    // The answer grows while it is written.
    await expect.poll(async () => (await lines(page)).at(-1)).toContain("Return anything within 30 days.");
    expect(await lines(page)).toHaveLength(3);
    expect(await visitor.events("error")).toEqual([]);
  });
});

describe("the widget across page loads", () => {
  it("continues the same conversation, with its draft", async () => {
    const visitor = await visit({ faqs: FAQS });
    const { page } = visitor;
    await launcher(page).click();
    await write(page, "When are you open?");
    await expect.poll(() => lines(page)).toEqual([GREETING, "When are you open?", OPEN]);
    await panel(page).getByRole("textbox").fill("And what about");
    const first = await session(visitor, 1);
    await page.reload();
    await panel(page).waitFor();
    expect(await lines(page)).toEqual([GREETING, "When are you open?", OPEN]);
    expect(await panel(page).getByRole("textbox").inputValue()).toBe("And what about");
    expect((await session(visitor, 1)).access_token).toBe(first.access_token);
    await write(page, "What about returns?");
    await expect.poll(() => lines(page)).toHaveLength(5);
    const path = "/api/v1/conversations";
    const { conversations } = await visitor.account.server<{ conversations: unknown[] }>("GET", path);
    expect(conversations).toHaveLength(1);
    expect(visitor.calls.filter((each) => each.endsWith("/auth/guest"))).toHaveLength(1);
  });

  it("does not share its session with a duplicated tab", async () => {
    const visitor = await visit({ faqs: FAQS, clock: true });
    const { page } = visitor;
    await launcher(page).click();
    await write(page, "When are you open?");
    await expect.poll(() => lines(page)).toHaveLength(3);
    await page.reload();
    await panel(page).waitFor();
    // A tab that a page opens itself begins with a copy of the page's storage, like a duplicated tab.
    await page.evaluate(() => sessionStorage.setItem("mark", "copied"));
    const [copy] = await Promise.all([
      page.context().waitForEvent("page"),
      page.evaluate(() => void open(location.href)),
    ]);
    await launcher(copy).waitFor();
    expect(await copy.evaluate(() => sessionStorage.getItem("mark"))).toBe("copied");
    await launcher(copy).click();
    expect(await lines(copy)).toEqual([GREETING]);
    await page.clock.fastForward("12:05");
    // It was reported once since the reload, and again now.
    await session(visitor, 2);
    await write(page, "What about returns?");
    await expect.poll(() => lines(page)).toHaveLength(5);
    expect(await visitor.events("error")).toEqual([]);
  });

  it("restores its state when the page is shown from the back-forward cache", async () => {
    const { page } = await visit({ faqs: FAQS });
    await launcher(page).click();
    await write(page, "When are you open?");
    await expect.poll(() => lines(page)).toHaveLength(3);
    const left = await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
      const kept = Object.values(sessionStorage).join("");
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      return { kept, after: sessionStorage.length };
    });
    expect(left.kept).toContain("refresh_token");
    expect(left.after).toBe(0);
    await write(page, "What about returns?");
    await expect.poll(() => lines(page)).toHaveLength(5);
  });

  it("does not reuse a refresh token whose response it did not receive", async () => {
    const visitor = await visit({ faqs: FAQS, clock: true });
    const { page } = visitor;
    await launcher(page).click();
    await write(page, "When are you open?");
    await expect.poll(() => lines(page)).toHaveLength(3);
    let refreshes = 0;
    await page.route("**/auth/refresh", async (route) => {
      refreshes++;
      await route.fetch();
      // The service has received the request; the response never arrives.
    });
    await page.clock.fastForward("12:05");
    await expect.poll(() => refreshes).toBe(1);
    await page.reload();
    await panel(page).waitFor();
    expect(await lines(page)).toHaveLength(3);
    await write(page, "What about returns?");
    await expect.poll(() => lines(page)).toHaveLength(5);
    expect(refreshes).toBe(1);
  });

  it("stores nothing if told not to, and works without storage", async () => {
    const visitor = await visit({ attributes: async () => 'data-memory="off"' });
    await launcher(visitor.page).click();
    await write(visitor.page, "hello");
    await expect.poll(() => lines(visitor.page)).toHaveLength(3);
    await visitor.page.reload();
    await launcher(visitor.page).waitFor();
    expect(await panel(visitor.page).count()).toBe(0);
    expect(await visitor.page.evaluate(() => sessionStorage.length)).toBe(0);

    const { page } = await visit();
    await page.addInitScript(() => {
      Object.defineProperty(window, "sessionStorage", {
        get: () => {
          throw new DOMException("no", "SecurityError");
        },
      });
    });
    await page.reload();
    await launcher(page).click();
    await write(page, "hello");
    await expect.poll(() => lines(page)).toHaveLength(3);
  });

  it("shows a user's conversation only to that user", async () => {
    const visitor = await visit({ faqs: FAQS });
    const { page, account } = visitor;
    const identify = async (id: string) =>
      page.evaluate((value) => window.Switchboard?.identify(value), await userToken(account, id));
    await launcher(page).waitFor();
    await identify("user-7");
    await launcher(page).click();
    await write(page, "When are you open?");
    await expect.poll(() => lines(page)).toHaveLength(3);
    await page.reload();
    await launcher(page).waitFor();
    expect(await panel(page).count()).toBe(0);
    await identify("user-7");
    expect(await lines(page)).toHaveLength(3);
    await page.reload();
    await launcher(page).waitFor();
    await identify("user-8");
    await launcher(page).click();
    expect(await lines(page)).toEqual([GREETING]);
  });
});

describe("the widget without a network", () => {
  it("reports it, keeps the written words, and sends them once online", async () => {
    const { page } = await visit({ faqs: FAQS });
    await launcher(page).click();
    await write(page, "When are you open?");
    await expect.poll(() => lines(page)).toHaveLength(3);
    await page.context().setOffline(true);
    await expect.poll(() => status(page)).toContain("You are offline.");
    await write(page, "What about returns?");
    await panel(page).getByRole("textbox").fill("And also");
    expect(await lines(page)).toHaveLength(4);
    await page.context().setOffline(false);
    await expect.poll(() => lines(page)).toHaveLength(5);
    expect(await panel(page).getByRole("textbox").inputValue()).toBe("And also");
    expect(await status(page)).toBe("");
  });

  it("begins once online if it could not before", async () => {
    const { page } = await visit();
    await launcher(page).waitFor();
    await page.context().setOffline(true);
    await launcher(page).click();
    await expect.poll(() => status(page)).toBe("You are offline.");
    await page.context().setOffline(false);
    await write(page, "hello");
    await expect.poll(() => lines(page)).toEqual([GREETING, "hello", expect.any(String)]);
  });
});
