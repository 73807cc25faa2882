import type { Body } from "../../api/client.ts";
import { formatNumber } from "../../texts/format.ts";
import { conversations as t } from "../../texts/index.ts";
import type { Subject } from "../../ui/erase-button.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";

type Conversation = Body<"Conversation">;

export function otherSide({ kind, phone_number, visitor_id, visitor_type }: Conversation): string {
  if (phone_number) return groupedNumber(phone_number);
  if (kind === "test") return t.tester;
  return visitor_id && visitor_type === "user" ? t.visitor(visitor_id) : t.guest;
}

/** Returns what identifies the other party in other records; undefined for a tester or a withheld number. */
export function personIn({ kind, phone_number, visitor_id }: Conversation): [Subject, string] | undefined {
  if (phone_number?.startsWith("+")) return ["phone_number", phone_number];
  return kind === "widget" && visitor_id !== null ? ["visitor_id", visitor_id] : undefined;
}

export function heldIn({ kind, direction }: Conversation): string {
  return t.kinds[kind === "call" ? (direction ?? kind) : kind];
}

/** Returns the name of the agent's counterpart. */
export function speakerIn({ kind }: Conversation): string {
  return { call: t.speakers.caller, widget: t.speakers.visitor, test: t.speakers.tester }[kind];
}

/** Formats a short time: 640 → "640 ms", 1900 → "1.9 s". */
export function shortTime(ms: number): string {
  return ms < 1000 ? `${formatNumber(ms)} ms` : `${formatNumber(Math.round(ms / 100) / 10)} s`;
}
