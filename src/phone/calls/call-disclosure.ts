import { disclosureOf } from "../../agent/disclosure/disclosure.ts";
import type { Disclosure } from "../../kernel/db/schema/index.ts";
import type { CallSettings } from "../call-settings/settings.ts";
import type { Greeter } from "./relay-settings.ts";

/** Returns the disclosure of a call, in the agent's language; null for none. */
export function callDisclosure(
  { disclosure }: Pick<CallSettings, "disclosure">,
  { agent, account_name }: { agent: Pick<Greeter, "disclosure" | "language">; account_name: string },
): Disclosure | null {
  const beginning = { agent: agent.disclosure, onCall: true, language: agent.language, account_name };
  return disclosureOf(disclosure, beginning);
}
