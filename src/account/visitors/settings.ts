import type { Settings } from "../../kernel/db/revision.ts";
import type { agentWidgetSettings, widgetSettings } from "../../kernel/db/schema/index.ts";

type SettingsRow = typeof widgetSettings.$inferSelect;
type PolicyRow = typeof agentWidgetSettings.$inferSelect;

export type WidgetSettings = Omit<Settings<SettingsRow>, "updated_at">;
/** Who may talk to an agent through a widget. */
export type WidgetPolicy = Pick<PolicyRow, "auth_mode" | "widget_enabled">;

/** Who may chat, as one choice that combines the settings of the widget and of its agent. */
export const WHO_MAY_CHAT = {
  anyone: { widget: "both", agent: "public" },
  signed_in: { widget: "authenticated", agent: "authenticated" },
} as const;
export type WhoMayChat = keyof typeof WHO_MAY_CHAT;

/** Returns who may actually chat. Guests are admitted only if both the widget and the agent admit them. */
export function whoMayChat(widget: Pick<WidgetPolicy, "auth_mode">, agent: { auth_mode: string }): WhoMayChat {
  return widget.auth_mode === "authenticated" || agent.auth_mode === "authenticated" ? "signed_in" : "anyone";
}

/** The settings of an account that has none of its own. */
export const DEFAULT_SETTINGS: WidgetSettings = {
  accent_color: "#0f766e",
  launcher_label: "Talk to us",
  launcher_position: "bottom-right",
  logo_url: "",
  primary_color: "#134e4a",
  privacy_notice: "",
};

/** The settings of an agent for which its account has set none. */
export const DEFAULT_POLICY: WidgetPolicy = { auth_mode: "both", widget_enabled: true };
