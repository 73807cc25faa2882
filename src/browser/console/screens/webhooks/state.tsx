import { Badge } from "../../ui/values.tsx";
import type { Webhook } from "./queries.ts";
import { standingOf } from "./standing.ts";

/** How a webhook stands, in a word. */
export function State(props: { of: Webhook }) {
  const standing = () => standingOf(props.of);
  return <Badge tone={standing().tone}>{standing().words}</Badge>;
}
