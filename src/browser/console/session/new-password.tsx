import { createSignal } from "solid-js";
import { ApiFailure } from "../api/client.ts";
import { placeFaults } from "../ui/faults.ts";
import { TextField } from "../ui/fields.tsx";

export type NewPassword = ReturnType<typeof createNewPassword>;

/** @param field its name in the API, to find the error of this field */
export function createNewPassword(field: string) {
  const [value, setValue] = createSignal("");
  const [again, setAgain] = createSignal("");
  const [fault, setFault] = createSignal<string>();
  return {
    value,
    setValue,
    again,
    setAgain,
    fault,
    isMismatch: () => again() !== "" && again() !== value(),
    /** Sends the password. An error in the password itself is shown at its field. @throws any other error */
    async send(step: () => Promise<void>): Promise<void> {
      setFault(undefined);
      try {
        await step();
      } catch (error) {
        const found = error instanceof ApiFailure ? placeFaults(error.fields, [field]).at.get(field) : undefined;
        if (found === undefined) throw error;
        setFault(found);
      }
    },
  };
}

export function NewPasswordFields(props: {
  of: NewPassword;
  words: { label: string; hint: string; again: string; mismatch: string };
  autofocus?: boolean;
}) {
  return (
    <>
      <TextField
        label={props.words.label}
        hint={props.words.hint}
        error={props.of.fault()}
        type="password"
        value={props.of.value()}
        onInput={props.of.setValue}
        autocomplete="new-password"
        required
        autofocus={props.autofocus}
      />
      <TextField
        label={props.words.again}
        error={props.of.isMismatch() ? props.words.mismatch : undefined}
        type="password"
        value={props.of.again()}
        onInput={props.of.setAgain}
        autocomplete="new-password"
        required
      />
    </>
  );
}
