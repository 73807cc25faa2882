import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sharedBrowser } from "../process/support/browser.ts";
import { type Service, startService, startSite } from "./service.ts";

let browser: Browser;
let service: Service;
let site: Awaited<ReturnType<typeof startSite>>;

beforeAll(async () => {
  [browser, service] = await Promise.all([sharedBrowser(), startService({})]);
  site = await startSite(`default-src 'none'; script-src 'unsafe-inline'; connect-src ${service.origin}`);
  site.show("");
});
afterAll(() => Promise.all([service, site].map((each) => each.close())));

/** Creates a ticket to a campaign, and a page of another origin whose requests to the service are recorded. */
async function visit() {
  const { server, upload } = await service.account([]);
  const form = new FormData();
  form.set("contacts", new File(["phone_number\n+13034000010\n"], "contacts.csv", { type: "text/csv" }));
  const { id } = await upload<{ id: string }>("/api/v1/campaigns", form);
  const { url } = await server<{ url: string }>("POST", `/api/v1/campaigns/${id}/events/ticket`);
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const methods: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(service.origin)) methods.push(request.method());
  });
  await page.goto(site.origin);
  return { server, id, url, page, methods };
}

describe("a browser's EventSource", () => {
  it("watches a campaign from a page of another origin by a ticket's address", async () => {
    const { server, id, url, page, methods } = await visit();
    const seen = page.evaluate(
      (address) =>
        new Promise<string[]>((resolve, reject) => {
          const names: string[] = [];
          const source = new EventSource(address);
          source.addEventListener("error", () => reject(new Error(`state ${source.readyState}`)));
          for (const name of ["snapshot", "campaign"])
            source.addEventListener(name, (event) => {
              names.push(`${name} ${(event as MessageEvent).lastEventId !== ""}`);
              document.title = names.join();
              if (name !== "campaign") return;
              source.close();
              resolve(names);
            });
        }),
      url,
    );
    await page.waitForFunction(() => document.title.includes("snapshot"));
    await server("PATCH", `/api/v1/campaigns/${id}`, { name: "Renamed" });
    expect(await seen).toEqual(["snapshot true", "campaign true"]);
    expect(methods).toEqual(["GET"]);
  });

  it("stops on an expired ticket, and continues after the last event with a new one", async () => {
    const { server, id, url, page, methods } = await visit();
    const [state, next] = await page.evaluate(
      (address) =>
        new Promise<[number, number]>((resolve) => {
          const source = new EventSource(address);
          const { CLOSED } = EventSource;
          source.addEventListener("error", () => resolve([source.readyState, CLOSED]));
        }),
      url.replace(/\.[^.]*$/, ".x"),
    );
    expect(state).toBe(next);
    expect(methods).toEqual(["GET"]);
    const ticket = await server<{ url: string }>("POST", `/api/v1/campaigns/${id}/events/ticket`);
    const first = await page.evaluate(
      (address) =>
        new Promise<string>((resolve) => {
          const source = new EventSource(address);
          source.addEventListener("campaign", (event) => {
            source.close();
            resolve((event as MessageEvent).lastEventId);
          });
        }),
      `${ticket.url}&last_event_id=1`,
    );
    expect(first).toBe("2");
  });
});
