import { createUniqueId, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { common, users as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { tell } from "../../ui/toast.tsx";
import { Copy } from "../../ui/values.tsx";
import styles from "./new-user.module.css";
import { suggestedPassword } from "./password.ts";
import { accountsChanged } from "./queries.ts";

/** Asks who is to sign in to an account, and with which first password. */
export function NewUser(props: { account: string; onClose: () => void }) {
  const id = createUniqueId();
  const form = createForm({
    initial: { email: "", name: "", password: "", isSuggested: false },
    save: async ({ isSuggested: _, ...body }) => {
      const params = { path: { account: props.account } };
      const { email } = await data(api.POST("/api/admin/v1/accounts/{account}/users", { params, body }));
      await accountsChanged();
      tell(t.added(email));
    },
  });
  const submit = async (event: Event) => {
    if (await form.submit(event)) props.onClose();
  };
  return (
    <Dialog
      title={t.addTo(props.account)}
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form={id} busy={form.busy()}>
            {t.add}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={(event) => void submit(event)}>
        <Fields>
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <TextField
            label={t.fields.email}
            type="email"
            autocomplete="off"
            value={form.values.email}
            onInput={(value) => form.set("email", value)}
            error={form.error("email")}
            required
          />
          <TextField
            label={t.fields.name}
            hint={t.nameHint}
            autocomplete="off"
            value={form.values.name}
            onInput={(value) => form.set("name", value)}
            error={form.error("name")}
          />
          <div class={styles.password}>
            <TextField
              label={t.fields.password}
              hint={form.values.isSuggested ? t.handOver : t.passwordHint}
              type={form.values.isSuggested ? "text" : "password"}
              code={form.values.isSuggested}
              autocomplete="new-password"
              value={form.values.password}
              onInput={(password) => form.set({ password, isSuggested: false })}
              error={form.error("password")}
              required
            />
            <Show
              when={form.values.isSuggested}
              fallback={
                <Button onClick={() => form.set({ password: suggestedPassword(), isSuggested: true })}>
                  {t.suggest}
                </Button>
              }
            >
              <Copy text={form.values.password} label={common.copyOf(t.fields.password)} />
            </Show>
          </div>
        </Fields>
      </form>
    </Dialog>
  );
}
