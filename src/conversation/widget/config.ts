import { eq } from "drizzle-orm";
import type { Context } from "hono";
import { isOpen, isSwitchedOn, sessionRefusal } from "../../account/visitors/policy.ts";
import { DEFAULT_SETTINGS } from "../../account/visitors/settings.ts";
import { assemble, widgetReads } from "../../account/visitors/widget-lookup.ts";
import { disclosureOf } from "../../agent/disclosure/disclosure.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Profile } from "../../kernel/db/own-account.ts";
import {
  type AccountDisclosure,
  type agents,
  callSettings,
  NO_DISCLOSURE,
  widgetKeys,
  widgetSettings,
} from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { builtIn } from "../../kernel/rendering/built-in.ts";
import { render } from "../../kernel/rendering/render.ts";
import { valuesOf } from "../../kernel/rendering/variables.ts";
import { personZone } from "../../kernel/zones/person-zone.ts";
import { type ConfigEntry, recallConfig, rememberConfig } from "./config-cache.ts";

/**
 * Returns what the widget of the key with this hash shows: from the cache, or in one round trip from a nearby replica.
 * The replica may not know a new key yet, so the primary is asked before "no such key" is cached.
 */
export async function readConfig(c: Context<AppEnv>, account: string, hash: string, now: number): Promise<ConfigEntry> {
  const cached = await recallConfig(hash, now);
  if (cached) return cached;
  const { requestId } = c.var;
  const author = { actor: "visitor", request_id: requestId };
  const widget =
    (await load(openStore(c, account, author, "nearby"), hash, now)) ??
    (await load(openStore(c, account, author), hash, now));
  const entry = { at: now, widget };
  c.executionCtx.waitUntil(rememberConfig(hash, entry));
  return entry;
}

async function load(store: AccountStore, hash: string, now: number): Promise<ConfigEntry["widget"]> {
  const [profile, settings, calls, ...found] = await store.read(
    store.profile(),
    store.first(widgetSettings),
    store.first(callSettings, { columns: ["disclosure"] }),
    ...widgetReads(store, eq(widgetKeys.hash, hash)),
  );
  const widget = assemble(...found);
  if (profile.accountStatus !== "open" || !widget) return null;
  const { key, agent, policy } = widget;
  return {
    allowlist: key.domain_allowlist,
    shown: isOpen(widget)
      ? {
          agent: agent && {
            id: agent.id,
            name: agent.name,
            greeting_message:
              shownDisclosure(calls?.disclosure ?? NO_DISCLOSURE, agent, profile) ?? shownGreeting(agent, profile, now),
            language: agent.language,
          },
          settings: settings ?? DEFAULT_SETTINGS,
          auth_mode: policy.auth_mode,
          enabled: isSwitchedOn(widget),
          guests: sessionRefusal(widget, { visitor_type: "guest", agent_id: agent?.id ?? "" }) === null,
        }
      : null,
  };
}

type Greeting = Pick<AgentRow, "name" | "greeting_message" | "timezone" | "language">;
type AgentRow = typeof agents.$inferSelect;

/** Returns the disclosure to visitors before the greeting; null for none. */
function shownDisclosure(
  account: AccountDisclosure,
  { disclosure: agent, language }: Pick<AgentRow, "disclosure" | "language">,
  { display_name: account_name }: Profile,
): string | null {
  return disclosureOf(account, { agent, onCall: false, language, account_name })?.text ?? null;
}

/** Returns the greeting for a visitor without variables, as the runtime renders it. */
function shownGreeting(agent: Greeting, { display_name, timezone: ofAccount }: Profile, now: number): string {
  const timezone = personZone({ agent: agent.timezone, account: ofAccount });
  const surroundings = {
    agent_name: agent.name,
    account_name: display_name,
    call: null,
    timezone,
    language: agent.language,
    now,
  };
  return render(agent.greeting_message, valuesOf(builtIn(surroundings))).text;
}
