import { Show } from "solid-js";
import { holds } from "../../../api/may.ts";
import { disclosure as t } from "../../../texts/index.ts";
import { DisclosureTexts } from "../../../ui/disclosure-texts.tsx";
import { Fields, SelectField } from "../../../ui/fields.tsx";
import type { Form } from "../../../ui/form.ts";
import { optionsOf } from "../../../ui/options.ts";
import type { Settings } from "./settings-form.ts";

type Choice = keyof typeof t.agentModes;

export function DisclosureFields(props: { form: Form<Settings>; stored: Pick<Settings, "disclosure"> }) {
  const { form } = props;
  const choice = (): Choice => choiceOf(form.values.disclosure);
  const own = () => (typeof form.values.disclosure === "string" ? null : form.values.disclosure.texts);
  const options = () =>
    optionsOf(t.agentModes).filter(
      ({ value }) => holds("manage") || value === "account" || value === choiceOf(props.stored.disclosure),
    );
  return (
    <Fields legend={t.title}>
      <SelectField
        label={t.agent}
        hint={holds("manage") ? t.agentHint : t.needsManage}
        value={choice()}
        onInput={(value) => form.set("disclosure", value === "texts" ? { texts: own() ?? {} } : value)}
        options={options()}
        error={form.error("disclosure")}
      />
      <Show when={own()}>
        {(texts) => (
          <DisclosureTexts
            value={texts()}
            onInput={(given) => form.set("disclosure", { texts: given })}
            error={form.error("disclosure.texts")}
            disabled={!holds("manage")}
          />
        )}
      </Show>
    </Fields>
  );
}

const choiceOf = (disclosure: Settings["disclosure"]): Choice =>
  typeof disclosure === "string" ? disclosure : "texts";
