import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { disclosureOf, disclosureText, isDisclosedInAnother } from "../../../src/agent/disclosure/disclosure.ts";
import { BUILT_IN_LANGUAGES, builtInSentences } from "../../../src/agent/speech/sentences.ts";
import type { AccountDisclosure, AgentDisclosure } from "../../../src/kernel/db/schema/index.ts";

const BUILT_IN = builtInSentences("en").disclosure;
const TEXTS = { en: "This is an AI of {{account_name}}.", "de-DE": "Hier spricht eine KI von {{ account_name }}." };

describe("the text of a disclosure", () => {
  it.each([
    ["en-US", "This is an AI of Acme.", "en"],
    ["de-DE", "Hier spricht eine KI von Acme.", "de-DE"],
    ["de-AT", "Hier spricht eine KI von Acme.", "de-DE"],
    ["tr-TR", "This is an AI of Acme.", "en"],
  ])("the disclosure's text of %s is that of the language, otherwise English", (language, text, said) => {
    expect(disclosureText(TEXTS, language, "Acme")).toEqual({ text, language: said });
  });

  it("a disclosure without an English text uses the built-in one", () => {
    expect(disclosureText({ de: "KI" }, "tr-TR", "Acme")).toEqual({ text: BUILT_IN, language: "en" });
    expect(disclosureText({}, "en-US", "Acme").text).toBe(BUILT_IN);
  });

  it.each(BUILT_IN_LANGUAGES)("a disclosure in %s is built in without a warning in any plan", (language) => {
    const { disclosure: text } = builtInSentences(language);
    expect(disclosureText({ ja: "AI" }, language, "Acme")).toEqual({ text, language });
    expect(isDisclosedInAnother({ mode: "calls", texts: {} }, "account", language)).toBe(false);
  });

  it("a disclosure is never empty, for any account name", () => {
    expect(disclosureText({ en: "{{account_name}}" }, "en-US", " ").text).toBe(BUILT_IN);
  });

  it("the text of a disclosure is that of the longest tag that the language begins with", () => {
    expect(disclosureText({ zh: "a", "zh-Hant": "b" }, "zh-Hant-TW", "").text).toBe("b");
  });
});

describe("the requirement of a disclosure", () => {
  const modes = fc.constantFrom<AccountDisclosure["mode"]>("off", "calls", "everywhere");
  const agents = fc.constantFrom<AgentDisclosure>("account", "off", { texts: { en: "Own" } });
  const languages = fc.constantFrom("en-US", "de-DE", "tr");

  it("follows the account's mode, unless the agent has its own", () => {
    fc.assert(
      fc.property(modes, agents, fc.boolean(), languages, (mode, agent, onCall, language) => {
        const said = disclosureOf({ mode, texts: TEXTS }, { agent, onCall, language, account_name: "Acme" });
        const isOwn = typeof agent === "object";
        const isDue = mode === "everywhere" || (onCall && (mode === "calls" || isOwn));
        expect(said !== null).toBe(agent !== "off" && isDue);
        if (said && isOwn && language !== "de-DE") expect(said.text).toBe("Own");
      }),
    );
  });

  it("shows whether the agent's language lacks a text", () => {
    const account: AccountDisclosure = { mode: "calls", texts: { en: "AI" } };
    expect(isDisclosedInAnother(account, "account", "de-DE")).toBe(true);
    expect(isDisclosedInAnother(account, { texts: { de: "KI" } }, "de-DE")).toBe(false);
    expect(isDisclosedInAnother(account, "account", "en-GB")).toBe(false);
    expect(isDisclosedInAnother({ mode: "off", texts: {} }, "account", "de-DE")).toBe(false);
    expect(isDisclosedInAnother({ mode: "calls", texts: {} }, "account", "tr-TR")).toBe(true);
  });
});
