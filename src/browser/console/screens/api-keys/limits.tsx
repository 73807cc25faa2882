import { For } from "solid-js";
import { SCOPES, type Scope, withImplied } from "../../../../kernel/scopes.ts";
import type { Body } from "../../api/client.ts";
import { apiKeys as t } from "../../texts/index.ts";
import { AgentsField } from "../../ui/agents-field.tsx";
import { Button } from "../../ui/button.tsx";
import { CheckField, Fields, TextArea } from "../../ui/fields.tsx";
import type { Form } from "../../ui/form.ts";
import { namesOf } from "../../ui/names-of.ts";

/** The permissions of a key, its agents and its allowed addresses, as entered: one address per line. */
export interface Limits {
  scopes: Scope[];
  agent_ids: string[] | null;
  allowed_addresses: string;
  unattended: boolean;
}

const PRESETS = {
  dialer: ["read", "dial"],
  crm: ["read", "listen"],
  runtime: ["runtime"],
  everything: SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

const isPreset = (scopes: readonly Scope[], preset: readonly Scope[]) =>
  withImplied(scopes).join() === withImplied(preset).join();

export function enteredLimits(key: Pick<Body<"ApiKey">, keyof Limits>): Limits {
  const { scopes, agent_ids, allowed_addresses, unattended } = key;
  return { scopes, agent_ids, unattended, allowed_addresses: allowed_addresses?.join("\n") ?? "" };
}

/** Returns the limits as the service expects them. */
export function limitsOf({ scopes, agent_ids, allowed_addresses, unattended }: Limits) {
  const addresses = allowed_addresses.split(/[\s,]+/).filter((address) => address !== "");
  return { scopes, agent_ids, unattended, allowed_addresses: addresses.length === 0 ? null : addresses };
}

export function LimitFields(props: { form: Pick<Form<Limits>, "field"> }) {
  const scopes = props.form.field("scopes");
  return (
    <>
      <Fields legend={t.may} error={scopes.error}>
        <fieldset class="row" aria-label={t.presets.label}>
          <For each={namesOf(PRESETS)}>
            {(preset) => (
              <Button
                small
                aria-pressed={isPreset(scopes.value, PRESETS[preset])}
                onClick={() => scopes.onInput([...PRESETS[preset]])}
              >
                {t.presets[preset]}
              </Button>
            )}
          </For>
        </fieldset>
        <For each={SCOPES}>{(scope) => <ScopeField scope={scope} value={scopes.value} onInput={scopes.onInput} />}</For>
      </Fields>
      <AgentsField texts={t.agents} {...props.form.field("agent_ids")} />
      <TextArea
        label={t.addresses}
        hint={t.addressesHint}
        rows={2}
        code
        placeholder="203.0.113.0/24"
        {...props.form.field("allowed_addresses")}
      />
      <CheckField label={t.unattended} hint={t.unattendedHint} {...props.form.field("unattended")} />
    </>
  );
}

function ScopeField(props: { scope: Scope; value: readonly Scope[]; onInput: (scopes: Scope[]) => void }) {
  const others = () => props.value.filter((scope) => scope !== props.scope);
  return (
    <CheckField
      label={t.scopes[props.scope].label}
      hint={t.scopes[props.scope].hint}
      value={withImplied(props.value).includes(props.scope)}
      // Another chosen scope already includes it.
      disabled={props.scope === "read" && withImplied(others()).includes("read")}
      onInput={(isHeld) => props.onInput(isHeld ? [...others(), props.scope] : others())}
    />
  );
}
