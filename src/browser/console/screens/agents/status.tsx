import type { Body } from "../../api/client.ts";
import { agents as t } from "../../texts/index.ts";
import { Badge, type Tone } from "../../ui/values.tsx";

type AgentStatus = Body<"Agent">["status"];

const TONES: Record<AgentStatus, Tone> = { active: "ok", draft: "info", archived: "idle" };

/** How far an agent is. */
export function Status(props: { of: AgentStatus }) {
  return <Badge tone={TONES[props.of]}>{t.statuses[props.of]}</Badge>;
}
