import { createEffect, createSignal, type JSX, Show } from "solid-js";
import { tools as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { GroupFault } from "../../ui/fields.tsx";
import { JsonField } from "../../ui/json-field.tsx";
import { Section } from "../../ui/page.tsx";

/**
 * A JSON part of a tool that can be edited in a form, if the form can express all of it. The JSON is authoritative: the
 * form reads it when it is shown and writes it with each change.
 */
export function FormOrJson(props: {
  title: string;
  lead: string;
  jsonLabel: string;
  json: string;
  onInput: (json: string) => void;
  /** Whether the form can express all of it. */
  canBeForm: boolean;
  error?: string | undefined;
  children: JSX.Element;
}) {
  const [isJson, setJson] = createSignal(!props.canBeForm);
  // What someone else has saved meanwhile may need JSON.
  createEffect(() => !props.canBeForm && setJson(true));
  return (
    <Section
      title={props.title}
      actions={
        <>
          <Button
            small
            kind={isJson() ? "quiet" : "plain"}
            aria-pressed={!isJson()}
            aria-label={`${props.title}: ${t.asForm}`}
            disabled={!props.canBeForm}
            onClick={() => setJson(false)}
          >
            {t.asForm}
          </Button>
          <Button
            small
            kind={isJson() ? "plain" : "quiet"}
            aria-pressed={isJson()}
            aria-label={`${props.title}: ${t.asJson}`}
            onClick={() => setJson(true)}
          >
            {t.asJson}
          </Button>
        </>
      }
    >
      <p class="muted">{props.lead}</p>
      <Show
        when={isJson()}
        fallback={
          <>
            <GroupFault label={props.title} error={props.error} />
            {props.children}
          </>
        }
      >
        <JsonField
          label={props.jsonLabel}
          hint={props.canBeForm ? undefined : t.onlyJson}
          rows={14}
          value={props.json}
          onInput={props.onInput}
          error={props.error}
          required
        />
      </Show>
    </Section>
  );
}
