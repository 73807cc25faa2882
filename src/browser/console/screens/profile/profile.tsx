import { Show } from "solid-js";
import { session } from "../../session/session.ts";
import { signOut } from "../../session/sign-out.ts";
import { profile as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/feedback.tsx";
import { Card, Page, Section } from "../../ui/page.tsx";
import { Facts, Time } from "../../ui/values.tsx";
import { ChangePassword } from "./change-password.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { SecondFactor } from "./second-factor.tsx";

export default function Profile() {
  const ends = () => {
    const { expires_at = 0, refresh_token = null } = session() ?? {};
    return refresh_token === null ? new Date(expires_at).toISOString() : undefined;
  };
  return (
    <Page title={t.title} lead={t.lead} actions={<Button onClick={() => void signOut()}>{t.signOut}</Button>}>
      <Card>
        <Facts
          of={[
            [t.fields.name, () => session()?.user.name || "–"],
            [t.fields.email, () => session()?.user.email || "–"],
            [t.fields.account, () => session()?.account],
            [t.fields.ends, () => <Show when={ends()}>{(at) => <Time at={at()} />}</Show>],
          ]}
        />
      </Card>
      <Show when={session()?.way === "password"} fallback={<Note tone="info">{t.elsewhere}</Note>}>
        <SecondFactor />
        <Section title={t.password}>
          <ChangePassword />
        </Section>
        <OwnSessions />
      </Show>
    </Page>
  );
}
