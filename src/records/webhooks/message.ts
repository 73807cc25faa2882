import { visibleTo } from "../../kernel/http/content.ts";
import type { Authority, Scope } from "../../kernel/scopes.ts";
import { seesContacts, seesContent } from "../../kernel/scopes.ts";
import type { StoredEvent } from "../events/event-log.ts";
import { EVENTS } from "../events/types.ts";

/** The personal data that is sent. */
export type Shown = "content" | "contacts" | "neither";

/** Returns what a reader with this authority may see. */
export function shownTo(authority: Authority): Shown {
  if (seesContent(authority)) return "content";
  return seesContacts(authority) ? "contacts" : "neither";
}

/** Returns the one of two choices that shows less personal data. */
export const lessOf = (a: Shown, b: Shown): Shown => ([a, b].includes("neither") ? "neither" : a === "content" ? b : a);

const SCOPES: Record<Shown, Scope[]> = { content: ["listen"], contacts: ["dial"], neither: ["read"] };

/** Returns the body that delivers an event. It is stored, so that every attempt sends the same bytes. */
export function messageOf({ id, type, at, data }: StoredEvent, account: string, shows: Shown): string {
  const authority = { role: null, scopes: SCOPES[shows], agentIds: null };
  const shown = visibleTo(authority, EVENTS[type].shape.data, JSON.parse(data));
  return JSON.stringify({ id, type, timestamp: at, account, data: shown });
}

export const TEST_TYPE = "webhook.test";

/** Returns the body of a test event. */
export function testMessage(id: string, account: string, webhook: string, now: number): string {
  const timestamp = new Date(now).toISOString();
  return JSON.stringify({ id, type: TEST_TYPE, timestamp, account, data: { webhook_id: webhook } });
}
