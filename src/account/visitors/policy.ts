import { isPublished } from "../../agent/versions/content-reads.ts";
import { ApiError, invalid } from "../../kernel/http/errors.ts";
import { whoMayChat } from "./settings.ts";
import type { Widget } from "./widget-lookup.ts";

export interface VisitorOf {
  visitor_type: "guest" | "user";
  agent_id: string;
}

export type VisitorRefusal =
  | "widget_disabled"
  | "guest_not_allowed"
  | "user_not_allowed"
  | "no_agent"
  | "agent_changed";

const REFUSED: Record<VisitorRefusal, () => ApiError> = {
  widget_disabled: () => new ApiError(403, "widget_disabled", "the widget of this agent is switched off"),
  guest_not_allowed: () => new ApiError(403, "guest_not_allowed", "this widget is for identified users only"),
  user_not_allowed: () => new ApiError(403, "user_not_allowed", "this widget is for guests only"),
  no_agent: () => invalid("the widget has no agent", "no_agent"),
  agent_changed: () => invalid("the widget now has another agent", "agent_changed"),
};

export const unknownKey = () => new ApiError(403, "client_key_unknown", "client_key is unknown or disabled");
export const keyDisabled = () => invalid("the widget key is disabled", "key_disabled");

/**
 * Returns the agent with which a visitor of this kind may begin a session.
 * @throws ApiError if the visitor is refused
 */
export function admitVisitor(widget: Widget, type: "guest" | "user"): { id: string } {
  const refusal = widgetRefusal(widget, type);
  if (refusal) throw REFUSED[refusal]();
  if (!widget.agent) throw REFUSED.no_agent();
  return widget.agent;
}

/** @throws ApiError if the session may not be renewed now */
export function admitAgain(widget: Widget, session: VisitorOf): void {
  const refusal = sessionRefusal(widget, session);
  if (refusal) throw REFUSED[refusal]();
}

/** Returns why a session may not be used now; null if it may. The agent's own auth_mode applies as well. */
export function sessionRefusal(widget: Widget, { visitor_type, agent_id }: VisitorOf): VisitorRefusal | null {
  const { agent, key } = widget;
  if (!agent || key.agent_id === null) return "no_agent";
  if (key.agent_id !== agent_id) return "agent_changed";
  const isExcluded = visitor_type === "guest" && whoMayChat(widget.policy, agent) === "signed_in";
  return widgetRefusal(widget, visitor_type) ?? (isExcluded ? "guest_not_allowed" : null);
}

/** Checks whether the widget is on. It is off for visitors if its agent is archived or was never published. */
export function isSwitchedOn({ policy, agent }: Pick<Widget, "policy" | "agent">): boolean {
  return policy.widget_enabled && agent?.status !== "archived" && (agent === null || isPublished(agent));
}

function widgetRefusal(widget: Widget, type: "guest" | "user"): VisitorRefusal | null {
  const { policy } = widget;
  if (!isSwitchedOn(widget)) return "widget_disabled";
  if (type === "guest" && policy.auth_mode === "authenticated") return "guest_not_allowed";
  return type === "user" && policy.auth_mode === "public" ? "user_not_allowed" : null;
}

/** Checks whether the key exists and is not disabled. */
export function isOpen(widget: Widget | undefined): widget is Widget {
  return widget !== undefined && widget.key.disabled_at === null;
}
