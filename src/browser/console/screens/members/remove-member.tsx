import { useNavigate } from "@solidjs/router";
import { createSignal, Show } from "solid-js";
import { ApiFailure, api, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { common, members as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { CheckField } from "../../ui/fields.tsx";
import { dropUnsaved } from "../../ui/form.ts";
import { notify } from "../../ui/toast.tsx";
import type { Member } from "./queries.ts";

/** Removes a member and, on request, disables the API keys that they created. */
export function RemoveMember(props: { member: Member }) {
  const [isAsking, setAsking] = createSignal(false);
  return (
    <>
      <Button needs="removeMember" small kind="danger" onClick={() => setAsking(true)}>
        {t.remove.verb}
      </Button>
      <Show when={isAsking()}>
        <Question member={props.member} onClose={() => setAsking(false)} />
      </Show>
    </>
  );
}

function Question(props: { member: Member; onClose: () => void }) {
  const navigate = useNavigate();
  const [withKeys, setWithKeys] = createSignal(false);
  const [isBusy, setBusy] = createSignal(false);
  const [failure, setFailure] = createSignal<unknown>();
  const { id, name, email } = props.member;

  const remove = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const params = { path: { id }, query: { keys: withKeys() ? ("disable" as const) : ("keep" as const) } };
      await data(api.DELETE("/api/v1/members/{id}", { params }));
      dropUnsaved();
      navigate("/members");
      notify(t.remove.done(name || email));
      await invalidate("members", "invitations", "api-keys");
    } catch (error) {
      const isLast = error instanceof ApiFailure && error.code === "last_owner";
      setFailure(isLast ? new Error(t.lastOwner.remove) : error);
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={t.remove.title(name || email)}
      role="alertdialog"
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>{common.cancel}</Button>
          <Button kind="dangerPrimary" busy={isBusy()} onClick={() => void remove()}>
            {t.remove.verb}
          </Button>
        </>
      }
    >
      <div class="stack-12">
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <p>{t.remove.body}</p>
        <CheckField label={t.remove.keys} hint={t.remove.keysHint} value={withKeys()} onInput={setWithKeys} />
      </div>
    </Dialog>
  );
}
