import { Show } from "solid-js";
import { common } from "../texts/index.ts";
import { Note } from "./feedback.tsx";
import { Badge } from "./values.tsx";

interface Of {
  is_default: boolean;
  modified_from_default: boolean;
}

/** Shows whether a resource is a default and whether it was modified. */
export function Origin(props: { of: Of }) {
  return (
    <span class="muted">
      {!props.of.is_default ? (
        common.origin.own
      ) : props.of.modified_from_default ? (
        <Badge tone="info">{common.origin.modified}</Badge>
      ) : (
        common.origin.default
      )}
    </span>
  );
}

/** Note above the form of a default resource. */
export function OriginNote(props: { of: Of }) {
  return (
    <Show when={props.of.is_default}>
      <Note>{props.of.modified_from_default ? common.origin.modifiedNote : common.origin.defaultNote}</Note>
    </Show>
  );
}
