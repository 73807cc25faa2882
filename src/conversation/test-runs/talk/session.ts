import { unboundSchema } from "../../../agent/tools/run/bind.ts";
import { builtIn, localTime } from "../../../kernel/rendering/built-in.ts";
import { firstOfEachName } from "../../../kernel/rendering/variables.ts";
import { personZone } from "../../../kernel/zones/person-zone.ts";
import { isPure, pureTools } from "../../runtime/built-in/pure-tools.ts";
import type { SessionSnapshot } from "../../runtime/session/session.ts";
import type { Session } from "../../runtime/session/snapshot.ts";
import { agentOf, renderedTexts } from "../../runtime/session/snapshot-agent.ts";
import { disclosureOutsideCalls, knowledgeOf, makerInstalls } from "../../runtime/session/snapshot-reads.ts";
import type { RunPlan } from "../plan.ts";
import type { Tested } from "../tested.ts";

/** The parties of a test's call: fictional numbers. */
const FROM_NUMBER = "+12025550100";
const TO_NUMBER = "+12025550143";

export interface TestSession {
  id: string;
  account: string;
  /** When the run began (ms), the time that prompts can name. */
  at: number;
  variables: Record<string, string>;
  mocked: readonly string[];
}

/**
 * Creates the session of a test, in the form of a call. An attached tool with a mock is offered even if it is not set
 * up yet or runs elsewhere.
 */
export function testSession(
  { content, found, documents }: Tested,
  { version, hash, is_saved, agent_id }: Pick<RunPlan, "version" | "hash" | "is_saved" | "agent_id">,
  { id, account, at, variables, mocked }: TestSession,
): Session {
  const [profile, , prompt] = found;
  const agent = content.fields;
  const call: NonNullable<SessionSnapshot["call"]> = {
    id,
    direction: "outbound",
    from_number: FROM_NUMBER,
    to_number: TO_NUMBER,
    provider: "sandbox",
    campaign_id: null,
    contact_id: null,
  };
  const given = Object.entries(variables);
  // The numbers of a test are fictional, so they reveal no time zone.
  const timezone = personZone({ agent: agent.timezone, account: profile.timezone });
  const surroundings = {
    agent_name: agent.name,
    account_name: profile.display_name,
    call,
    timezone,
    language: agent.language,
    now: at,
  };
  const { texts, missing } = renderedTexts(agent, [...given, ...builtIn(surroundings)]);
  const columns = Object.fromEntries(firstOfEachName(given));
  const party = { call, visitor: null, variables: columns, isTester: true };
  const { faqs, playbooks, left_out, tools, unavailable_tools } = knowledgeOf(content, found, { party, documents });
  const offered = content.tools.flatMap(({ enabled, body }): SessionSnapshot["tools"] => {
    if (isPure(body.name)) return [];
    const ready = tools.find(({ name }) => name === body.name);
    if (!enabled || !mocked.includes(body.name)) return ready ? [ready] : [];
    const shown = unboundSchema(body.schema, body.bind);
    const parameters = Object.keys(shown).length === 0 ? { type: "object", properties: {} } : shown;
    const { name, description } = body;
    return [{ name, description, parameters, effect: "read", max_runs: null, runs: "platform" }];
  });
  return {
    snapshot: {
      session_id: id,
      kind: "call",
      account,
      expires_at: new Date(at).toISOString(),
      disclosure: disclosureOutsideCalls(found, agent.language),
      call,
      visitor: null,
      agent: agentOf(agent, {
        id: agent_id,
        version,
        prompt_id: prompt?.id ?? null,
        system_prompt: texts.system_prompt,
        greeting_message: texts.greeting_message,
        phrases: texts.phrases,
      }),
      timezone,
      local_time: localTime(timezone, at),
      variables: columns,
      missing_variables: missing,
      playbooks,
      faqs,
      documents,
      left_out,
      tools: [...offered, ...pureTools(content)],
      unavailable_tools: unavailable_tools.filter(({ name }) => !mocked.includes(name)),
      limits: { max_duration_s: 0 },
    },
    direction: "outbound",
    phone_number: TO_NUMBER,
    installs: makerInstalls(found, null),
    timezone,
    follows: null,
    announcement: null,
    api_key_id: null,
    version: { number: version, hash, is_stored: !is_saved, pin: is_saved ? null : version },
    analysis: agent.analysis,
    documents_late: false,
  };
}
