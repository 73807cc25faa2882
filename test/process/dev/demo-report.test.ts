import { describe, expect, it } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { CONTACTS } from "../../../src/dev/demo-contacts.ts";
import { allowCalls, report } from "../../../src/dev/demo-report.ts";
import { personAt } from "../../../src/phone/carriers/sandbox-people.ts";
import { isScripted } from "../../../src/phone/carriers/sandbox-script.ts";

const [ADA = "", GRACE = ""] = CONTACTS.map(({ phone_number }) => phone_number);
const JSON_ = (status: number, body: unknown) => ({ status, text: async () => JSON.stringify(body) });
const contact = (phone_number: string, more: object) =>
  Object.assign({ phone_number, status: "completed", outcome: "answered", attempt_count: 1 }, more);

describe("npm run demo", () => {
  it("calls one who cuts in, one who wants no more calls, one who asks for a person, and others", () => {
    const there = CONTACTS.map(({ phone_number }) => phone_number).filter((number) => !isScripted(number));
    const people = Map.groupBy(there, (number) => personAt(number).name);
    for (const name of ["talks over the agent", "wants no more calls", "asks for a person", "is somebody else"])
      expect(people.get(name), name).toHaveLength(1);
    expect(CONTACTS).toHaveLength(25);
    expect(people.size).toBe(10);
  });

  it("ends with contacts, what stood out, and one transcript, once the dispositions have come", async () => {
    let looks = 0;
    const client = new ApiClient("", async (url) => {
      if (url.includes("/contacts")) {
        const disposition = ++looks < 3 ? null : "interested";
        const contacts = [
          contact(ADA, { conversation_id: "c1", disposition }),
          contact(GRACE, { conversation_id: "c2", disposition: "opted_out" }),
        ];
        return JSON_(200, { contacts });
      }
      if (url.endsWith("/c1/transcript")) return { status: 200, text: async () => "agent: Hello Somebody" };
      if (url.endsWith("/c2/transcript"))
        return { status: 200, text: async () => "agent: Hello Grace Hopper\nuser: Stop" };
      if (url.endsWith("/c1"))
        return JSON_(200, { turns: [{ role: "agent", text: "We can", interrupted: true, tool_call: null }] });
      if (url.endsWith("/c2")) return JSON_(200, { turns: [{ role: "tool", text: "opt_out", interrupted: false }] });
      if (url.includes("/do-not-call")) return JSON_(200, { numbers: [{ phone_number: GRACE }] });
      return JSON_(404, "not found");
    });
    const text = await report(client, "c");
    expect(looks).toBe(3);
    expect(text).toMatch(/Ada Lovelace +\+12025550111 +answered +1 +interested/);
    expect(text).toContain("Ada Lovelace interrupted the agent after “We can”");
    expect(text).toContain("with Grace Hopper, the agent used opt_out");
    expect(text).toContain("Grace Hopper is now on the do-not-call list");
    expect(text).toContain("  agent: Hello Grace Hopper\n  user: Stop");
    expect(text).not.toContain("Hello Somebody");
  });

  it("does not wait for ever for what does not come", async () => {
    let looks = 0;
    const client = new ApiClient("", async (url) => {
      if (url.includes("/contacts")) {
        looks++;
        return JSON_(200, { contacts: [contact(ADA, { conversation_id: "c1", disposition: null })] });
      }
      if (url.endsWith("/transcript")) return { status: 200, text: async () => "" };
      return JSON_(200, { turns: [], numbers: [] });
    });
    expect(await report(client, "c")).toMatch(/Ada Lovelace/);
    expect(looks).toBeLessThan(15);
  });

  it("takes who asked for no more calls off the list, and nobody else", async () => {
    const deleted: string[] = [];
    const client = new ApiClient("", async (url) => {
      deleted.push(decodeURIComponent(url));
      return url.endsWith(encodeURIComponent(GRACE)) ? { status: 204, text: async () => "" } : JSON_(404, "not found");
    });
    expect(await allowCalls(client)).toEqual(["Grace Hopper"]);
    expect(deleted).toHaveLength(25);
  });
});
