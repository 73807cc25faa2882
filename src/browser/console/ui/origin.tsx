import { common } from "../texts/index.ts";
import { Badge } from "./values.tsx";

/** Whether a thing came with the service, and whether it is as it came. */
export function Origin(props: { of: { is_default: boolean; modified_from_default: boolean } }) {
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
