import { createSignal, Show } from "solid-js";
import { ApiFailure, api, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { CodeField } from "../../session/code-field.tsx";
import { ownFactor } from "../../session/own-factor.ts";
import { profile as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Note } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { notify } from "../../ui/toast.tsx";

const EMPTY = { current_password: "", new_password: "", again: "", code: "" };

/** Changes the password. If there is a second factor, its code is required too. */
export function ChangePassword() {
  const factor = useQuery(ownFactor);
  const [refusal, setRefusal] = createSignal("");
  const needsCode = () => factor.data?.enabled === true || refusal() === "second_factor_required";
  const form = createForm({
    initial: EMPTY,
    save: async ({ current_password, new_password, code }) => {
      setRefusal("");
      const body = { current_password, new_password };
      try {
        const sent = needsCode() ? Object.assign({ code: code.trim() }, body) : body;
        await data(api.POST("/api/password", { body: sent }));
      } catch (error) {
        if (error instanceof ApiFailure) setRefusal(error.code);
        throw error;
      }
      form.reset(EMPTY);
      notify(t.changed);
      void invalidate("sessions", "second-factor");
    },
  });
  const isMismatch = () => form.values.again !== "" && form.values.again !== form.values.new_password;
  return (
    <form noValidate onSubmit={(event) => void form.submit(event)}>
      <Fields>
        <Note>{t.others}</Note>
        <Show when={refusal() !== "wrong_password" && form.failure()}>
          {(failure) => <Failure error={failure()} />}
        </Show>
        <TextField
          label={t.current}
          type="password"
          autocomplete="current-password"
          {...form.field("current_password")}
          error={refusal() === "wrong_password" ? t.wrong : form.error("current_password")}
          required
        />
        <TextField
          label={t.next}
          hint={t.nextHint}
          type="password"
          autocomplete="new-password"
          {...form.field("new_password")}
          required
        />
        <TextField
          label={t.again}
          type="password"
          autocomplete="new-password"
          {...form.field("again")}
          error={isMismatch() ? t.mismatch : undefined}
          required
        />
        <Show when={needsCode()}>
          <CodeField label={t.code} hint={t.codeHint} {...form.field("code")} />
        </Show>
        <div>
          <Button kind="primary" type="submit" busy={form.busy()} disabled={isMismatch() || !form.dirty()}>
            {t.change}
          </Button>
        </div>
      </Fields>
    </form>
  );
}
