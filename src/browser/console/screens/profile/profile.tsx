import { createSignal, Show } from "solid-js";
import { ApiFailure, api, data } from "../../api/client.ts";
import { session } from "../../session/session.ts";
import { signOut } from "../../session/sign-out.ts";
import { profile as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Note } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { Card, Page, Section } from "../../ui/page.tsx";
import { tell } from "../../ui/toast.tsx";
import { Facts, Time } from "../../ui/values.tsx";

const EMPTY = { current_password: "", new_password: "", again: "" };

/** Who is signed in, until when, and how to change the password. */
export default function Profile() {
  const ends = () => new Date(session()?.expires_at ?? 0).toISOString();
  return (
    <Page title={t.title} lead={t.lead} actions={<Button onClick={() => void signOut()}>{t.signOut}</Button>}>
      <Card>
        <Facts
          of={[
            [t.fields.name, () => session()?.user.name || "–"],
            [t.fields.email, () => session()?.user.email || "–"],
            [t.fields.account, () => session()?.account],
            [t.fields.ends, () => <Time at={ends()} />],
          ]}
        />
      </Card>
      <Section title={t.password}>
        <ChangePassword />
      </Section>
    </Page>
  );
}

function ChangePassword() {
  const [refusal, setRefusal] = createSignal("");
  const form = createForm({
    initial: EMPTY,
    save: async ({ current_password, new_password }) => {
      setRefusal("");
      try {
        await data(api.POST("/api/password", { body: { current_password, new_password } }));
      } catch (error) {
        if (error instanceof ApiFailure) setRefusal(error.code);
        throw error;
      }
      form.reset(EMPTY);
      tell(t.changed);
    },
  });
  const isMismatch = () => form.values.again !== "" && form.values.again !== form.values.new_password;
  return (
    <Show when={refusal() !== "external_identity"} fallback={<Note tone="info">{t.elsewhere}</Note>}>
      <form onSubmit={(event) => void form.submit(event)}>
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
          <div>
            <Button kind="primary" type="submit" busy={form.busy()} disabled={isMismatch() || !form.dirty()}>
              {t.change}
            </Button>
          </div>
        </Fields>
      </form>
    </Show>
  );
}
