import { disclosureOf } from "../../agent/disclosure/disclosure.ts";
import { DEFAULT_LANGUAGE } from "../../agent/speech/language.ts";
import type { Disclosure } from "../../kernel/db/schema/index.ts";
import type { CallSettings } from "../call-settings/settings.ts";
import type { Greeter } from "./relay-settings.ts";

/** Returns what is said on a call of the agent before the first word; null for nothing. */
export function callDisclosure(
  { disclosure }: Pick<CallSettings, "disclosure">,
  { agent, account_name }: { agent: Pick<Greeter, "disclosure">; account_name: string },
): Disclosure | null {
  const beginning = { agent: agent.disclosure, onCall: true, language: DEFAULT_LANGUAGE, account_name };
  return disclosureOf(disclosure, beginning);
}
