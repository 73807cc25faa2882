import type { Body } from "../api/client.ts";
import { whoMayChat as t } from "../texts/index.ts";
import { SelectField } from "./fields.tsx";
import { optionsOf } from "./options.ts";

/** Who may chat with an agent: `anyone`, or only visitors whom a site has `signed_in`. */
export type Who = Body<"AgentWidgetSettings">["who"];

export function WhoField(props: { value: Who; onInput: (who: Who) => void; error?: string | undefined }) {
  return <SelectField label={t.question} hint={t.hints[props.value]} options={optionsOf(t.answers)} {...props} />;
}
