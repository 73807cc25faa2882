import { For, Show } from "solid-js";
import { SCOPE_WORDS, SCOPES, type Scope, withImplied } from "../../../../kernel/scopes.ts";
import type { Body } from "../../api/client.ts";
import { agentList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { apiKeys as t } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { CheckField, Fields, GroupFault, SelectField, TextArea } from "../../ui/fields.tsx";
import type { Form } from "../../ui/form.ts";
import { X } from "../../ui/icons.tsx";
import styles from "./limits.module.css";

/** What a key may do, for which agents and from where, as it is entered: addresses are one a line. */
export interface Limits {
  scopes: Scope[];
  agent_ids: string[] | null;
  allowed_addresses: string;
}

/** The limits of a key as they are entered. */
export function enteredLimits(key: Pick<Body<"ApiKey">, keyof Limits>): Limits {
  const { scopes, agent_ids, allowed_addresses } = key;
  return { scopes, agent_ids, allowed_addresses: allowed_addresses?.join("\n") ?? "" };
}

/** The limits as the service takes them. */
export function limitsOf({ scopes, agent_ids, allowed_addresses }: Limits) {
  const addresses = allowed_addresses.split(/[\s,]+/).filter((address) => address !== "");
  return { scopes, agent_ids, allowed_addresses: addresses.length === 0 ? null : addresses };
}

/** The fields in which a key is limited. */
export function LimitFields(props: { form: Pick<Form<Limits>, "field"> }) {
  const scopes = props.form.field("scopes");
  return (
    <>
      <Fields legend={t.may} error={scopes.error}>
        <For each={SCOPES}>{(scope) => <ScopeField scope={scope} value={scopes.value} onInput={scopes.onInput} />}</For>
      </Fields>
      <Agents {...props.form.field("agent_ids")} />
      <TextArea
        label={t.addresses}
        hint={t.addressesHint}
        rows={2}
        code
        placeholder="203.0.113.0/24"
        {...props.form.field("allowed_addresses")}
      />
    </>
  );
}

function ScopeField(props: { scope: Scope; value: readonly Scope[]; onInput: (scopes: Scope[]) => void }) {
  const others = () => props.value.filter((scope) => scope !== props.scope);
  return (
    <CheckField
      label={t.scope(SCOPE_WORDS[props.scope])}
      value={withImplied(props.value).includes(props.scope)}
      // Others hold it.
      disabled={props.scope === "read" && withImplied(others()).includes("read")}
      onInput={(isHeld) => props.onInput(isHeld ? [...others(), props.scope] : others())}
    />
  );
}

/** The agents that a key is for: all, or only these. */
function Agents(props: {
  value: string[] | null;
  onInput: (value: string[] | null) => void;
  error: string | undefined;
}) {
  const agents = useQuery(agentList);
  const nameOf = (id: string) => agents.data?.find((agent) => agent.id === id)?.name ?? id;
  return (
    <>
      <CheckField
        label={t.onlySome}
        hint={t.onlySomeHint}
        value={props.value !== null}
        onInput={(isLimited) => props.onInput(isLimited ? [] : null)}
      />
      <Show when={props.value}>
        {(ids) => (
          <div class={styles.agents}>
            <GroupFault label={t.agents} error={props.error} />
            <Show when={ids().length > 0}>
              <ul class={styles.chosen} aria-label={t.agents}>
                <For each={ids()}>
                  {(id) => (
                    <li>
                      {nameOf(id)}
                      <IconButton
                        small
                        icon={X}
                        label={t.removeAgent(nameOf(id))}
                        onClick={() => props.onInput(ids().filter((other) => other !== id))}
                      />
                    </li>
                  )}
                </For>
              </ul>
            </Show>
            <SelectField
              label={t.addAgent}
              value=""
              options={[
                { value: "", label: t.chooseAgent },
                ...(agents.data ?? [])
                  .filter(({ id }) => !ids().includes(id))
                  .map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onInput={(id) => id !== "" && props.onInput([...ids(), id])}
            />
          </div>
        )}
      </Show>
    </>
  );
}
