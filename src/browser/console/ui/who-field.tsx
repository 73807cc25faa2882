import type { Body } from "../api/client.ts";
import { whoMayChat as t } from "../texts/index.ts";
import { SelectField } from "./fields.tsx";
import { chosen, optionsOf } from "./options.ts";

/** Who may chat with an agent: `anyone`, or those a site has `signed_in`. */
export type Who = Body<"AgentWidgetSettings">["who"];

/** Asks who may chat with an agent. */
export function WhoField(props: { value: Who; onChange: (who: Who) => void; error?: string | undefined }) {
  return (
    <SelectField
      label={t.question}
      hint={t.hints[props.value]}
      value={props.value}
      options={optionsOf(t.answers)}
      onChange={(value) => props.onChange(chosen(t.answers, value) ?? props.value)}
      error={props.error}
    />
  );
}
