import type { Body } from "../../../api/client.ts";

/** What of an agent is set here. */
export type Settings = Omit<
  Body<"Agent">,
  "id" | "system_prompt" | "greeting_message" | "active_prompt_id" | "auth_mode" | "analysis" | Unchangeable
>;
type Unchangeable =
  | "faqs"
  | "playbooks"
  | "tools"
  | "left_out"
  | "created_by"
  | "created_at"
  | "updated_at"
  | "template_id"
  | "published_version";
