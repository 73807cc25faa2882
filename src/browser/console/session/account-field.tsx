import { createSignal, createUniqueId, For } from "solid-js";
import { api, type Body, data } from "../api/client.ts";
import { signIn as t } from "../texts/index.ts";
import { TextField } from "../ui/fields.tsx";

/** The account to sign in to. Listed accounts are suggested, and any other can be typed. */
export function AccountField(props: {
  value: string;
  listed: Body<"Session">["accounts"];
  onInput: (account: string) => void;
}) {
  const id = createUniqueId();
  const [unknown, setUnknown] = createSignal("");
  const named = (written: string) =>
    props.listed.find(({ display_name }) => display_name.toLowerCase() === written.toLowerCase());
  const shown = () => props.listed.find(({ name }) => name === props.value);

  const check = async () => {
    const written = props.value.trim();
    const account = named(written)?.name ?? written.toLowerCase();
    props.onInput(account);
    if (account === "" || shown()) return;
    const path = { account };
    // The check only helps the user. If it fails, signing in reports the problem.
    const answer = data(api.GET("/api/accounts/validate/{account}", { params: { path } }));
    const valid = await answer.then(
      ({ valid }) => valid,
      ({ status }) => status !== 400,
    );
    if (!valid && props.value === account) setUnknown(account);
  };

  return (
    <>
      <TextField
        label={t.account}
        value={props.value}
        onInput={(value) => {
          setUnknown("");
          props.onInput(value);
        }}
        onBlur={() => void check()}
        error={unknown() === "" ? undefined : t.noSuchAccount}
        hint={shown()?.display_name ?? t.accountHint}
        list={id}
        required
        autocomplete="organization"
        autocapitalize="none"
        spellcheck={false}
      />
      <datalist id={id}>
        <For each={props.listed}>{({ name, display_name }) => <option value={name}>{display_name}</option>}</For>
      </datalist>
    </>
  );
}
