import { createSignal, For, Match, Show, Switch } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { CodeField } from "../../session/code-field.tsx";
import { ownFactor } from "../../session/own-factor.ts";
import { common, deletion as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, Note } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { Section } from "../../ui/page.tsx";
import { notify } from "../../ui/toast.tsx";
import { Time } from "../../ui/values.tsx";
import { cancelDeletion, deleteAccount, deletionOf } from "./queries.ts";

/** Deletes an account permanently: shows the consequences, schedules the deletion and cancels it. */
export function DeleteAccount(props: { account: Body<"Account"> }) {
  return (
    <Section title={t.title}>
      <Show when={props.account.disabled} fallback={<p class="muted">{t.disableFirst}</p>}>
        <OfDisabled account={props.account.name} />
      </Show>
    </Section>
  );
}

function OfDisabled(props: { account: string }) {
  const deletion = useQuery(() => deletionOf(props.account));
  const [isAsking, setAsking] = createSignal(false);
  const cancel = () =>
    confirmed({ title: t.cancelTitle, body: t.cancelBody, verb: t.cancel, cancel: t.keep }, async () => {
      await cancelDeletion(props.account);
      notify(t.cancelled);
    });
  return (
    <Switch
      fallback={
        <>
          <p class="muted">{t.what}</p>
          <div>
            <Button kind="danger" onClick={() => setAsking(true)}>
              {t.delete}
            </Button>
          </div>
          <Show when={isAsking()}>
            <Confirmation account={props.account} onClose={() => setAsking(false)} />
          </Show>
        </>
      }
    >
      <Match when={deletion.isPending}>
        <p class="muted">{t.what}</p>
      </Match>
      <Match when={deletion.error}>{(error) => <Failure error={error()} />}</Match>
      <Match when={deletion.data?.status === "scheduled" && deletion.data}>
        {(scheduled) => (
          <>
            <p>
              {t.begins} <Time at={scheduled().begins_at} />. {t.until}
            </p>
            <div>
              <Button onClick={() => void cancel()}>{t.cancel}</Button>
            </div>
          </>
        )}
      </Match>
      <Match when={deletion.data?.status === "running" && deletion.data}>
        {(running) => (
          <>
            <p>{t.running(running().deleted)}</p>
            <HeldUp by={running().held_by} />
          </>
        )}
      </Match>
    </Switch>
  );
}

/** What delays a deletion, and since when. The service retries by itself. */
function HeldUp(props: { by: Body<"AccountDeletion">["held_by"] }) {
  return (
    <Show when={props.by.length > 0}>
      <Note tone="warn">
        <strong>{t.held}</strong>
        <ul>
          <For each={props.by}>
            {({ step, object, since }) => (
              <li>
                {step === null ? t.aStep : t.steps[step]}
                <Show when={object}>
                  {(name) => (
                    <>
                      : <code>{name()}</code>
                    </>
                  )}
                </Show>
                {", "}
                {t.failing} <Time at={since} />
              </li>
            )}
          </For>
        </ul>
        <p>{t.heldMore}</p>
      </Note>
    </Show>
  );
}

/** Asks for the account's name, and for a code if there is a second factor. */
function Confirmation(props: { account: string; onClose: () => void }) {
  const factor = useQuery(ownFactor);
  const form = createForm({
    initial: { confirm: "", code: "" },
    save: async ({ confirm, code }) => {
      await deleteAccount(props.account, factor.data?.enabled ? { confirm, code: code.trim() } : { confirm });
      notify(t.scheduled);
      props.onClose();
    },
  });
  return (
    <Dialog title={t.confirmTitle(props.account)} onClose={() => props.onClose()} role="alertdialog">
      <form noValidate onSubmit={(event) => void form.submit(event)}>
        <Fields>
          <p class="muted">{t.confirmBody}</p>
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <TextField
            label={t.typeName(props.account)}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            {...form.field("confirm")}
            required
          />
          <Show when={factor.data?.enabled}>
            <CodeField label={t.code} {...form.field("code")} />
          </Show>
          <div>
            <Button
              kind="dangerPrimary"
              type="submit"
              busy={form.busy()}
              disabled={form.values.confirm !== props.account}
            >
              {t.delete}
            </Button>{" "}
            <Button onClick={() => props.onClose()}>{common.cancel}</Button>
          </div>
        </Fields>
      </form>
    </Dialog>
  );
}
