import { describe, expect, it } from "vitest";
import { actorInWords } from "../../src/browser/console/screens/audit-log/actor.ts";
import { auditLog } from "../../src/browser/console/texts/en/audit-log.ts";

describe("the audit log in words", () => {
  it.each<[actor: string, words: string, name?: string]>([
    ["console:0193-a", "You"],
    ["console:0193-6d7f1111", "User …7f1111"],
    ["console:0193-b", "Bob", "Bob"],
    ["console:0193-a", "You", "Ada"],
    ["api_key:0193-k", "API key Shop", "Shop"],
    ["api_key:0193-6d7f2222", "API key …7f2222"],
    ["operator_token:0193-t", "Operator token Nightly backup", "Nightly backup"],
    ["carrier:twilio", "Carrier Twilio"],
    ["visitor", "A visitor"],
    ["runtime:0193-c", "An agent in a conversation"],
    ["conversation:0193-c", "An agent in a conversation"],
    ["campaign:0193-m", "A campaign"],
    ["system:retention", "The service"],
    ["someone:new", "someone:new"],
  ])("the audit log says who %s is", (actor, words, name) => {
    expect(actorInWords({ actor, actor_name: name ?? null }, "0193-a")).toBe(words);
  });

  it.each([
    ["create", "api_key", "Created API key"],
    ["attach_faq", "agent", "Added an FAQ to the agent"],
    ["sign_in", "user", "Signed in"],
    ["publish_forced", "agent", "Published the agent although required tests didn't pass"],
    ["tidy_up", "agent", "Tidy up · agent"],
  ])("the audit log describes the action %s of %s", (action, resource, words) => {
    expect(auditLog.sentence({ action, resource })).toBe(words);
  });
});
