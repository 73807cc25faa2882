import { createSignal, createUniqueId, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { common, users as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm, type Form } from "../../ui/form.ts";
import { SecretOnce } from "../../ui/secret-once.tsx";
import styles from "./new-user.module.css";
import { suggestedPassword } from "./password.ts";

export type Words = typeof t.ofAccount | typeof t.operators;

const EMPTY = { email: "", name: "", password: "", isSuggested: false };
type Values = typeof EMPTY;

/** Creates a user of an account with a first password to be passed on. */
export function NewUser(props: { account: string; words: Words; onClose: () => void }) {
  const id = createUniqueId();
  const [added, setAdded] = createSignal<Values>();
  const form = createForm({
    initial: EMPTY,
    save: async ({ isSuggested, ...body }) => {
      const params = { path: { account: props.account } };
      const { email } = await data(api.POST("/api/admin/v1/accounts/{account}/users", { params, body }));
      setAdded({ ...body, email, isSuggested });
      await invalidate("accounts");
    },
  });
  const title = () => {
    const user = added();
    return user ? t.addedTitle(user.email) : props.words.addTo(props.account);
  };
  const ask = () => (
    <>
      <Button onClick={props.onClose}>{common.cancel}</Button>
      <Button kind="primary" type="submit" form={id} busy={form.busy()}>
        {props.words.add}
      </Button>
    </>
  );
  const close = () => (
    <Button kind="primary" onClick={props.onClose}>
      {common.close}
    </Button>
  );
  return (
    <Dialog title={title()} onClose={props.onClose} footer={added() ? close() : ask()}>
      <Show
        when={added()}
        fallback={
          <form noValidate id={id} onSubmit={(event) => void form.submit(event)}>
            <UserFields form={form} />
          </form>
        }
      >
        {(user) => (
          <>
            <p>{t.handOver}</p>
            <Show when={user().isSuggested}>
              <SecretOnce label={t.fields.password} secret={user().password} />
            </Show>
          </>
        )}
      </Show>
    </Dialog>
  );
}

function UserFields(props: { form: Form<Values> }) {
  const isSuggested = () => props.form.values.isSuggested;
  return (
    <Fields>
      <Show when={props.form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
      <TextField label={t.fields.email} type="email" autocomplete="off" {...props.form.field("email")} required />
      <TextField label={t.fields.name} hint={t.nameHint} autocomplete="off" {...props.form.field("name")} />
      <div class={styles.password}>
        <TextField
          label={t.fields.password}
          hint={t.passwordHint}
          type={isSuggested() ? "text" : "password"}
          code={isSuggested()}
          autocomplete="new-password"
          {...props.form.field("password")}
          onInput={(password) => props.form.set({ password, isSuggested: false })}
          required
        />
        <Button onClick={() => props.form.set({ password: suggestedPassword(), isSuggested: true })}>
          {t.suggest}
        </Button>
      </div>
    </Fields>
  );
}
