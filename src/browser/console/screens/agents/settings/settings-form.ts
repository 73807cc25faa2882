import type { Body } from "../../../api/client.ts";
import { namesOf } from "../../../ui/names-of.ts";

/** What of an agent is set here. */
export type Settings = Omit<
  Body<"Agent">,
  | "id"
  | "system_prompt"
  | "greeting_message"
  | "voicemail_message"
  | "active_prompt_id"
  | "auth_mode"
  | "analysis"
  | Unchangeable
>;
type Unchangeable =
  | "faqs"
  | "in_service"
  | "playbooks"
  | "tools"
  | "left_out"
  | "in_service"
  | "created_by"
  | "created_at"
  | "updated_at"
  | "template_id"
  | "published_version";

/** Returns only the changed fields, so that a save does not overwrite what another person saved meanwhile. */
export function changesToSend(before: Settings, after: Settings): Partial<Settings> {
  const changed = namesOf(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}
