import { Show } from "solid-js";
import type { Body } from "../api/client.ts";
import { formatName } from "../texts/format.ts";
import { knowledge as t } from "../texts/index.ts";
import { Badge } from "./values.tsx";

const TONES = { processing: "info", ready: "ok", failed: "bad" } as const;

export function DocumentState(props: { of: Pick<Body<"Document">, "status" | "reason"> }) {
  return (
    <>
      <Badge tone={TONES[props.of.status]}>{t.statuses[props.of.status]}</Badge>
      <Show when={props.of.reason}>
        {(reason) => <span class="muted"> {t.reasons[reason()] ?? formatName(reason())}</span>}
      </Show>
    </>
  );
}
