import { ApiError, invalid } from "../http/errors.ts";
import type { Widget } from "./widget-lookup.ts";

/** Why a session is not good for use (design part 7). */
export type SessionRefusal = "key_disabled" | "invalid" | "widget_disabled" | "guest_not_allowed";

/** The agent that a visitor of this kind may begin a session with. @throws ApiError for who may not */
export function admitVisitor({ agent, policy }: Widget, type: "guest" | "user"): { id: string } {
  if (!policy.widget_enabled) throw new ApiError(403, "widget_disabled", "the widget of this agent is switched off");
  if (type === "guest" && policy.auth_mode === "authenticated") {
    throw new ApiError(403, "guest_not_allowed", "this widget is for identified users only");
  }
  if (type === "user" && policy.auth_mode === "public") {
    throw new ApiError(403, "user_not_allowed", "this widget is for guests only");
  }
  if (!agent) throw invalid("the widget key has no agent", "no_agent");
  return agent;
}

/** What keeps a session from being used now, null for one that is good: here the agent's own auth_mode counts too. */
export function sessionRefusal(widget: Widget | undefined, type: "guest" | "user"): SessionRefusal | null {
  if (!isOpen(widget)) return "key_disabled";
  const { agent, policy } = widget;
  if (!agent) return "invalid";
  if (!policy.widget_enabled) return "widget_disabled";
  const guestsKeptOut = agent.auth_mode === "authenticated" || policy.auth_mode === "authenticated";
  return type === "guest" && guestsKeptOut ? "guest_not_allowed" : null;
}

/** Whether the key is there and not disabled. */
export function isOpen(widget: Widget | undefined): widget is Widget {
  return widget !== undefined && widget.key.disabled_at === null;
}
