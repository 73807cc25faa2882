import type { Body } from "../../api/client.ts";
import { apiKeys as t } from "../../texts/index.ts";
import { now } from "../../ui/now.ts";
import { Badge } from "../../ui/values.tsx";

const TONES = { active: "ok", disabled: "idle", expired: "warn" } as const;

export function State(props: { of: Body<"ApiKey"> }) {
  const state = (): keyof typeof TONES => {
    const { disabled_at, expires_at } = props.of;
    if (disabled_at !== null) return "disabled";
    return expires_at !== null && Date.parse(expires_at) <= now() ? "expired" : "active";
  };
  return <Badge tone={TONES[state()]}>{t.states[state()]}</Badge>;
}
