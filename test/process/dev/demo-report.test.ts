import { describe, expect, it } from "vitest";
import { Switchboard } from "../../../packages/sdk/src/index.ts";
import { CONTACTS } from "../../../src/dev/demo-contacts.ts";
import { allowCalls, report } from "../../../src/dev/demo-report.ts";
import { personAt } from "../../../src/phone/carriers/sandbox-people.ts";
import { isScripted } from "../../../src/phone/carriers/sandbox-script.ts";

const [ADA = "", GRACE = ""] = CONTACTS.map(({ phone_number }) => phone_number);
const JSON_ = (status: number, body: unknown) => Response.json(body, { status });
const client = (answer: (path: string) => Response) =>
  new Switchboard({ baseUrl: "http://service", fetch: async (url) => answer(new URL(url).pathname) });
const contact = (phone_number: string, more: object) =>
  Object.assign({ phone_number, status: "completed", outcome: "answered", attempt_count: 1 }, more);

describe("npm run demo", () => {
  it("calls people who interrupt, opt out or ask for a person", () => {
    const there = CONTACTS.map(({ phone_number }) => phone_number).filter((number) => !isScripted(number));
    const people = Map.groupBy(there, (number) => personAt(number).name);
    for (const name of ["talks over the agent", "wants no more calls", "asks for a person", "is somebody else"])
      expect(people.get(name), name).toHaveLength(1);
    expect(CONTACTS).toHaveLength(25);
    expect(people.size).toBe(10);
  });

  it("ends with contacts, highlights and one transcript once the dispositions have arrived", async () => {
    let looks = 0;
    const owner = client((url) => {
      if (url.includes("/contacts")) {
        const disposition = ++looks < 3 ? null : "interested";
        const contacts = [
          contact(ADA, { conversation_id: "c1", disposition }),
          contact(GRACE, { conversation_id: "c2", disposition: "opted_out" }),
        ];
        return JSON_(200, { contacts });
      }
      if (url.endsWith("/c1/transcript")) return new Response("agent: Hello Somebody");
      if (url.endsWith("/c2/transcript")) return new Response("agent: Hello Grace Hopper\nuser: Stop");
      if (url.endsWith("/c1"))
        return JSON_(200, { turns: [{ role: "agent", text: "We can", interrupted: true, tool_call: null }] });
      if (url.endsWith("/c2")) return JSON_(200, { turns: [{ role: "tool", text: "opt_out", interrupted: false }] });
      if (url.includes("/do-not-call")) return JSON_(200, { numbers: [{ phone_number: GRACE }] });
      return JSON_(404, "not found");
    });
    const text = await report(owner, "c");
    expect(looks).toBe(3);
    expect(text).toMatch(/Ada Lovelace +\+12025550111 +answered +1 +interested/);
    expect(text).toContain("Ada Lovelace interrupted the agent after “We can”");
    expect(text).toContain("with Grace Hopper, the agent used opt_out");
    expect(text).toContain("Grace Hopper is now on the do-not-call list");
    expect(text).toContain("  agent: Hello Grace Hopper\n  user: Stop");
    expect(text).not.toContain("Hello Somebody");
  });

  it("stops waiting for dispositions that do not arrive", async () => {
    let looks = 0;
    const owner = client((url) => {
      if (url.includes("/contacts")) {
        looks++;
        return JSON_(200, { contacts: [contact(ADA, { conversation_id: "c1", disposition: null })] });
      }
      if (url.endsWith("/transcript")) return new Response("");
      return JSON_(200, { turns: [], numbers: [] });
    });
    expect(await report(owner, "c")).toMatch(/Ada Lovelace/);
    expect(looks).toBeLessThan(15);
  });

  it("adds only the people who opted out to the do-not-call list", async () => {
    const deleted: string[] = [];
    const owner = client((url) => {
      deleted.push(decodeURIComponent(url));
      return url.endsWith(encodeURIComponent(GRACE)) ? new Response(null, { status: 204 }) : JSON_(404, "not found");
    });
    expect(await allowCalls(owner)).toEqual(["Grace Hopper"]);
    expect(deleted).toHaveLength(25);
  });
});
