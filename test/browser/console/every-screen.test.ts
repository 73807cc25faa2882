import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Account } from "../service.ts";
import { follow, type Operator, serveConsole, signedIn, signedInToOperate } from "./operator.ts";

serveConsole();

const ROUTES = join(import.meta.dirname, "../../../src/browser/console/routes.tsx");
const FROM = "+12025550100";
/** A sandbox caller with these digits asks for the opening hours, then for an order and its delivery time. */
const CURIOUS = "+13035550112";

/**
 * Returns the addresses of an account's screens, with one resource of every kind, so that every screen shows something.
 */
async function addressesIn({ server, upload, agent, widgetKey }: Account): Promise<string[]> {
  const create = async (path: string, body: object) =>
    (await server<{ id: string }>("POST", `/api/v1${path}`, body)).id;
  const first = async (path: string) => {
    const answer = await server<{ id: string }[] | Record<string, { id: string }[]>>("GET", `/api/v1${path}`);
    return (Array.isArray(answer) ? answer : Object.values(answer)[0])?.[0]?.id ?? "";
  };
  const analysis = {
    enabled: true,
    criteria: [{ name: "booked", instruction: "The caller agreed to an appointment." }],
    data: [{ name: "party_size", type: "number", description: "How many people come." }],
  };
  await server("PATCH", `/api/v1/agents/${agent.id}`, { status: "active", analysis });
  await server("POST", `/api/v1/agents/${agent.id}/publish`, { note: "The first one" });
  await server("PATCH", `/api/v1/agents/${agent.id}`, { versioning: "manual", greeting_message: "Good morning." });
  const number = await create("/telephony/numbers", { e164: FROM, provider: "sandbox", agent_id: agent.id });
  const order = { agent_id: agent.id, from_number: FROM, to_number: CURIOUS, variables: {} };
  const { call_id } = await server<{ call_id: string }>("POST", "/api/v1/calls/originate", order);
  const called = () =>
    server<{ conversation_id: string | null; recording_id: string | null }>("GET", `/api/v1/calls/${call_id}`);
  await expect.poll(async () => (await called()).recording_id).not.toBeNull();
  const { conversation_id, recording_id } = await called();
  const analyzed = async () =>
    (await server<{ analysis: { status: string } | null }>("GET", `/api/v1/conversations/${conversation_id}`)).analysis
      ?.status;
  await expect.poll(analyzed).toBe("done");
  const form = new FormData();
  for (const [field, value] of Object.entries({ name: "Spring", agent_id: agent.id, from_number: FROM }))
    form.set(field, value);
  form.set("contacts", new File(["phone_number\n+13035551210\n"], "contacts.csv", { type: "text/csv" }));
  const campaign = await upload<{ id: string }>("/api/v1/campaigns", form);
  const contacts = `/api/v1/campaigns/${campaign.id}/contacts`;
  const { contacts: found } = await server<{ contacts: { id: string }[] }>("GET", contacts);
  const test = await create(`/agents/${agent.id}/tests`, { name: "Says goodbye", steps: [{ says: "Goodbye." }] });
  const run = await create(`/agents/${agent.id}/test-runs`, {});
  const budget = { scope: "account", period: "day", unit: "tokens", limit: 100_000, action: "stop_new" };
  const webhook = { url: "https://hooks.example/switchboard", types: ["*"] };
  const tool = await create("/tools", { name: "find_parcel", implementation_type: "http" });
  const { entries } = await server<{ entries: { id: string }[] }>("GET", "/api/v1/audit-log?limit=50");
  const inAgent = ["", "/settings", "/analysis", "/versions", "/versions?version=1&with=nothing"];
  const more = ["/tests", "/tests/new", `/tests/${test}`, `/tests/runs/${run}`, "/knowledge", "/widget", "/talk"];
  const inCampaign = ["", `/contacts/${found[0]?.id}`, "/plan", "/import", "/settings"];
  return [
    ...[...inAgent, ...more].map((rest) => `/agents/${agent.id}${rest}`),
    ...inCampaign.map((rest) => `/campaigns/${campaign.id}${rest}`),
    ...["/", "/agents", "/agents/new", "/campaigns", "/campaigns/new", "/usage", "/call-settings", "/account"],
    ...["/sign-in-policy", "/limits", "/profile", "/confirmations/nothing", "/nothing/such"],
    ...["/marketplace", `/marketplace/${await first("/marketplace/agents")}`],
    ...["/tools", "/tools/new", `/tools/${tool}`],
    ...["/playbooks", "/playbooks/new", `/playbooks/${await first("/playbooks")}`],
    ...["/faqs", "/faqs/new", `/faqs/${await first("/faqs")}`, `/faqs/${await first("/faqs")}?view=full`],
    ...["/integrations", "/integrations/shopify"],
    ...["/numbers", "/numbers/new", `/numbers/${number}`],
    ...[
      "/carriers",
      "/carriers/new",
      `/carriers/${await create("/telephony/providers", { provider: "sandbox", label: "Practice", credentials: {} })}`,
    ],
    ...["/calls", "/calls/new", `/calls/${call_id}`],
    ...["/conversations", `/conversations/${conversation_id}`],
    ...["/recordings", `/recordings/${recording_id}`],
    ...["/do-not-call", "/do-not-call/add"],
    ...["/budgets", "/budgets/new", `/budgets/${await create("/budgets", budget)}`],
    ...["/prices", "/prices/stt"],
    ...["/privacy", "/privacy/forget", "/privacy/nothing"],
    ...["/api-keys", "/api-keys/new", `/api-keys/${await first("/api-keys")}`],
    ...["/widget-keys", "/widget-keys/new", `/widget-keys/${widgetKey.id}`],
    ...["/webhooks", "/webhooks/new", `/webhooks/${await create("/webhooks", webhook)}`],
    ...["/members", "/members/invite", "/members/nobody"],
    ...["/audit-log", `/audit-log/${entries.find(({ id }) => id)?.id}`],
  ];
}

/** Returns faults in a page's markup and texts, whatever the page shows. */
function faultsOf(): string[] {
  const INTERACTIVE = "a[href], button, input, select, textarea, summary, [role=button], [role=link]";
  const inside = ["a[href]", "button", "summary", "[role=button]"].map((outer) => `${outer} :is(${INTERACTIVE})`);
  /** Matches identifiers: `call.transfer_requested`, `not_mentioned`. */
  const CODE = /^[a-z]+([._][a-z]+)+$/;
  const headings = [...document.querySelectorAll("h1")].filter((heading) => heading.checkVisibility());
  const nested = [...document.querySelectorAll(inside.join())].map(({ outerHTML }) => outerHTML.slice(0, 100));
  const forms = [...document.forms].filter(({ noValidate }) => !noValidate);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const codes: string[] = [];
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode;
    const isProse =
      parentElement?.checkVisibility() &&
      !parentElement.closest("code, pre, kbd, textarea, script, [data-scope=tags-input]");
    if (isProse && CODE.test(textContent?.trim() ?? "")) codes.push(textContent ?? "");
  }
  return [
    ...(headings.length === 1 ? [] : [`h1: ${headings.map(({ textContent }) => textContent).join(" | ") || "none"}`]),
    ...nested.map((html) => `nested: ${html}`),
    ...forms.map(({ outerHTML }) => `the browser's bubbles: ${outerHTML.slice(0, 100)}`),
    ...codes.map((code) => `code: ${code}`),
  ];
}

/** Returns the page's unanswered requests to the API, kept up to date. */
function pendingRequests(page: Page): Set<Request> {
  const pending = new Set<Request>();
  page.on("request", (request) => {
    // A stream stays open as long as its screen.
    if (request.url().includes("/api/") && !request.url().endsWith("/events")) pending.add(request);
  });
  page.on("requestfinished", (request) => void pending.delete(request));
  page.on("requestfailed", (request) => void pending.delete(request));
  return pending;
}

/** Window widths with a panel beside its list, and with only the panel. */
const WIDTHS = [1280, 360];

async function faultsAt({ page }: Operator, addresses: string[]): Promise<string[]> {
  const found: string[] = [];
  const pending = pendingRequests(page);
  for (const address of addresses) {
    await follow(page, address);
    // A placeholder is hidden for a moment, so that what loads quickly needs none.
    const placeholder = page.getByRole("main").getByRole("status", { name: "Loading", includeHidden: true });
    // A screen that has loaded may request what it shows.
    await expect
      .poll(async () => [await placeholder.count(), ...[...pending].map((request) => request.url())], {
        message: address,
      })
      .toEqual([0]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      // The page learns its new width before it is drawn.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
      const shown = () => page.evaluate(faultsOf);
      found.push(...(await shown()).map((fault) => `${address} at ${width} px: ${fault}`));
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  return found;
}

describe("every screen of the console", () => {
  it("every screen of an account has one heading, no nested controls, the console's own form messages, and no code as prose", async () => {
    const operator = await signedIn();
    const addresses = await addressesIn(operator.account);
    expect(await faultsAt(operator, addresses)).toEqual([]);

    const { OPERATOR, ...routes } = await routesInSource();
    const paths = addresses.map((address) => address.split("?")[0] ?? "");
    for (const route of Object.values(routes).flat()) {
      const pattern = new RegExp(`${route.replace(/\/:\w+\?/g, "(/[^/]+)?").replace(/:\w+/g, "[^/]+")}/?$`);
      expect
        .soft(
          paths.some((path) => pattern.test(path)),
          `${route} is visited`,
        )
        .toBe(true);
    }
    expect(OPERATOR).not.toEqual([]);
  });

  it("every screen of the operators follows the same rules", async () => {
    const operator = await signedInToOperate();
    const accounts = ["/accounts", "/accounts/new", `/accounts/${operator.account.name}`];
    expect(await faultsAt(operator, [...accounts, "/service", "/operator-audit-log", "/profile"])).toEqual([]);
  });
});

/** Returns the addresses in the source of the routes, by list. */
async function routesInSource(): Promise<Record<string, string[]>> {
  const lists = (await readFile(ROUTES, "utf8")).split(/^const (?=[A-Z]+:)/m).slice(1);
  return Object.fromEntries(
    lists.map((list) => [
      list.slice(0, list.indexOf(":")),
      [...list.matchAll(/"(\/[^"]*)"/g)].map(([, path = ""]) => path),
    ]),
  );
}
