import { For, Show } from "solid-js";
import { holds } from "../../../api/may.ts";
import { agents as t } from "../../../texts/index.ts";
import { CheckField, Fields, SelectField } from "../../../ui/fields.tsx";
import type { Form } from "../../../ui/form.ts";
import { optionsOf } from "../../../ui/options.ts";
import { mayChooseStorage, mayDropKind } from "./may-loosen.ts";
import type { Settings } from "./settings-form.ts";

type Kind = Settings["redact"][number];
const KINDS = Object.keys(t.redactKinds) as Kind[];

/**
 * Settings for what is stored from the agent's conversations. Without `manage`, no choice that stores more is offered.
 */
export function StorageFields(props: { form: Form<Settings>; stored: Pick<Settings, "storage" | "redact"> }) {
  const { form } = props;
  const isFree = () => holds("manage");
  const storages = () =>
    optionsOf(t.storages).map((option) =>
      Object.assign(option, { disabled: !isFree() && !mayChooseStorage(props.stored, option.value) }),
    );
  const choose = (kind: Kind, isChosen: boolean) =>
    form.set(
      "redact",
      KINDS.filter((one) => (one === kind ? isChosen : form.values.redact.includes(one))),
    );
  return (
    <Fields legend={t.settings.storage} error={form.error("redact")}>
      <SelectField
        label={t.fields.storage}
        hint={t.storageHints[form.values.storage]}
        {...form.field("storage")}
        options={storages()}
      />
      <Show when={!isFree()}>
        <p class="muted">{t.settings.storageNeedsManage}</p>
      </Show>
      <Show when={form.values.storage === "redacted"}>
        <For each={KINDS}>
          {(kind) => (
            <CheckField
              label={t.redactKinds[kind]}
              value={form.values.redact.includes(kind)}
              disabled={!isFree() && !mayDropKind(props.stored, kind)}
              onInput={(isChosen) => choose(kind, isChosen)}
            />
          )}
        </For>
      </Show>
    </Fields>
  );
}
