import { describe, expect, it } from "vitest";
import { ABROAD } from "../../../../src/conversation/runtime/models/scripted/abroad.ts";
import { personAt } from "../../../../src/phone/carriers/sandbox-people.ts";
import { LINES_ABROAD } from "../../../../src/phone/carriers/sandbox-people-abroad.ts";
import { Conversation, session } from "./support.ts";

const LANGUAGES = Object.keys(LINES_ABROAD);
/** A language's callers by the ending of their number, with the scripted agent's record of each conversation. */
const CALLERS = [
  ["0", "interested"],
  ["1", "not_interested"],
  ["2", "callback_requested"],
  ["18", "opted_out"],
] as const;

function agentIn(language: string) {
  const snapshot = session("Front Desk");
  Object.assign(snapshot.agent, { language, greeting_message: "" });
  return snapshot;
}

describe("the scripted agent in other languages than English", () => {
  it("speaks those of the sandbox's people", () => {
    expect(LANGUAGES.toSorted()).toEqual(["de", "es", "fr", "hi", "tr"]);
    expect(Object.keys(ABROAD).toSorted()).toEqual(LANGUAGES.toSorted());
  });

  it.each(LANGUAGES.flatMap((language) => CALLERS.map(([digits, expected]) => [language, digits, expected] as const)))(
    "understands in %s the caller whose number ends in %s: %s",
    async (language, digits, expected) => {
      const snapshot = agentIn(language);
      const talk = new Conversation(snapshot);
      const { from, intents, replies, ...others } = ABROAD[language] ?? {};
      const known = [...Object.values(replies ?? {}), ...Object.values(others)].map((words) =>
        words.replaceAll("{agent}", snapshot.agent.name),
      );
      const said: string[] = [];
      for (const { says } of personAt(`+4930901820${digits}`, language).lines) {
        const { text, used } = await talk.say(says);
        said.push(text);
        if (used.includes("end_call")) break;
      }
      expect(
        talk.calls.filter(({ name }) => name === "set_disposition").map((call) => call.arguments?.value),
      ).toContain(expected);
      expect(said.filter((text) => !known.includes(text))).toEqual([]);
    },
  );

  it("reads capital letters by the rules of the language", async () => {
    const { used } = await new Conversation(agentIn("tr-TR")).say("İLGİMİ ÇEKMİYOR DEĞİL, İLGİLENİYORUM");
    expect(used).toContain("set_disposition");
  });
});
