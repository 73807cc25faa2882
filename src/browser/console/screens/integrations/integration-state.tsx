import type { Body } from "../../api/client.ts";
import { formatName } from "../../texts/format.ts";
import { integrations as t } from "../../texts/index.ts";
import { Badge } from "../../ui/values.tsx";

export function IntegrationState(props: { of: Body<"Integration"> }) {
  const state = () => {
    const { ready, status, auth, missing } = props.of;
    if (ready) return { tone: "ok", words: t.ready } as const;
    if (auth !== "token") return { tone: "idle", words: t.closed } as const;
    if (status === "available") return { tone: "idle", words: t.notInstalled } as const;
    return { tone: "warn", words: missing.length > 0 ? t.lacks(missing.length) : t.unusable } as const;
  };
  return <Badge tone={state().tone}>{state().words}</Badge>;
}

export const categoryName = (category: string): string => t.categories[category] ?? formatName(category);
