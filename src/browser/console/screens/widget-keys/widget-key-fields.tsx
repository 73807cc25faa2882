import { widgetKeys as t } from "../../texts/index.ts";
import { SelectField, TextArea, TextField } from "../../ui/fields.tsx";
import type { createForm } from "../../ui/form.ts";
import { choicesOf, useAgents } from "../../ui/named.tsx";

/** What of a widget key is entered. */
export interface WidgetKeyValues {
  name: string;
  /** Empty for none. */
  agent_id: string;
  /** One origin a line. */
  origins: string;
}

/** The origins of a list that is written one a line. */
export const originsOf = (lines: string): string[] =>
  lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The fields of a widget key, with what the service refuses where it belongs. */
export function WidgetKeyFields(props: { form: ReturnType<typeof createForm<WidgetKeyValues>> }) {
  const agents = useAgents();
  return (
    <>
      <TextField
        label={t.fields.name}
        hint={t.nameHint}
        value={props.form.values.name}
        onInput={(name) => props.form.set("name", name)}
        error={props.form.error("name")}
        required
      />
      <SelectField
        label={t.fields.agent}
        hint={t.agentHint}
        value={props.form.values.agent_id}
        options={choicesOf(agents, t.noAgent)}
        onChange={(agent) => props.form.set("agent_id", agent)}
        error={props.form.error("agent_id")}
      />
      <TextArea
        label={t.fields.origins}
        hint={t.originsHint}
        code
        rows={4}
        placeholder={"https://shop.example"}
        value={props.form.values.origins}
        onInput={(origins) => props.form.set("origins", origins)}
        error={props.form.error("domain_allowlist")}
      />
    </>
  );
}
