import type { Body } from "../../../api/client.ts";

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
  | "knowledge"
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
