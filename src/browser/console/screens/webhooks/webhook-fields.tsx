import { webhooks as t } from "../../texts/index.ts";
import { AgentsField } from "../../ui/agents-field.tsx";
import { TextField } from "../../ui/fields.tsx";
import type { Form } from "../../ui/form.ts";
import type { Webhook } from "./queries.ts";
import { TypesField } from "./types-field.tsx";

/** The values of a webhook's form. An empty description means none. */
export type Values = Pick<Webhook, "url" | "types" | "agent_ids"> & { description: string };

/** Returns the values as the service expects them. */
export const sent = ({ url, types, agent_ids, description }: Values) => ({
  url,
  types,
  agent_ids,
  description: description.trim() === "" ? null : description,
});

export function WebhookFields(props: { form: Pick<Form<Values>, "field">; urlHint: string }) {
  return (
    <>
      <TextField
        label={t.form.url}
        hint={props.urlHint}
        type="url"
        placeholder="https://shop.example/hooks/switchboard"
        {...props.form.field("url")}
        required
      />
      <TextField label={t.form.description} hint={t.form.descriptionHint} {...props.form.field("description")} />
      <TypesField {...props.form.field("types")} />
      <AgentsField texts={t.agents} {...props.form.field("agent_ids")} />
    </>
  );
}
