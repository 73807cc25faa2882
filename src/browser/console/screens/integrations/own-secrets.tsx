import { createEffect, Index } from "solid-js";
import { integrations as t } from "../../texts/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Plus, X } from "../../ui/icons.tsx";
import styles from "./integration-panel.module.css";

/** A secret with a name of the account's choice, not stored yet. */
export interface OwnSecret {
  name: string;
  value: string;
}

/** Fields for new secrets with any name. */
export function OwnSecrets(props: {
  secrets: OwnSecret[];
  /** The names of the secrets that are already stored. */
  stored: string[];
  onChange: (secrets: OwnSecret[]) => void;
  error: (name: string) => string | undefined;
}) {
  const change = (index: number, changed: Partial<OwnSecret>) =>
    props.onChange(
      props.secrets.map(({ name, value }, other) =>
        other === index ? Object.assign({ name, value }, changed) : { name, value },
      ),
    );
  const fault = (index: number) => {
    const name = props.secrets[index]?.name ?? "";
    const isTaken =
      props.stored.includes(name) || props.secrets.some((one, other) => other < index && one.name === name);
    return name !== "" && isTaken ? t.taken : "";
  };
  return (
    <>
      <Index each={props.secrets}>
        {(secret, index) => (
          <fieldset class={styles.own} aria-label={t.ownSecret}>
            <TextField
              label={t.ownName}
              hint={t.ownNameHint}
              code
              value={secret().name}
              onInput={(name) => change(index, { name })}
              error={fault(index) || undefined}
              ref={(input) => createEffect(() => input.setCustomValidity(fault(index)))}
              pattern="[a-z][a-z0-9_]{0,62}"
              title={t.ownNameHint}
              autocomplete="off"
              required
            />
            <TextField
              type="password"
              label={t.ownValue}
              value={secret().value}
              onInput={(value) => change(index, { value })}
              error={props.error(secret().name)}
              autocomplete="new-password"
              required
            />
            <IconButton
              icon={X}
              label={t.removeOwn(secret().name)}
              onClick={() => props.onChange(props.secrets.filter((_, other) => other !== index))}
            />
          </fieldset>
        )}
      </Index>
      <div>
        <Button small icon={Plus} onClick={() => props.onChange([...props.secrets, { name: "", value: "" }])}>
          {t.addSecret}
        </Button>
      </div>
    </>
  );
}
