import { createSignal, Match, Show, Switch } from "solid-js";
import { ApiFailure, type Body, data, publicApi } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { useQuery } from "../api/use-query.ts";
import { formatExact } from "../texts/format.ts";
import { access, common, accept as t } from "../texts/index.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Loaded, Note, Skeleton } from "../ui/feedback.tsx";
import { Fields, TextField } from "../ui/fields.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { rememberSignIn } from "./last-sign-in.ts";
import { createNewPassword, NewPasswordFields } from "./new-password.tsx";
import { ProviderSignIn } from "./provider-sign-in.tsx";
import { beginSession, type Way } from "./session.ts";
import styles from "./sign-in.module.css";

type Invitation = Body<"OpenInvitation">;

/** Accepts an invitation by its link, whose token follows the # of the address, which browsers send to nobody. */
export default function Accept() {
  const token = location.hash.slice(1);
  const found = useQuery(() => query(["invitation"], () => invitationOf(token)));
  document.title = `${t.title} · ${common.product}`;
  return (
    <main class={styles.page}>
      <div class={styles.card}>
        <img src="/docs/icon.svg" alt="" width="40" height="40" />
        <h1>{t.title}</h1>
        <Loaded query={found} skeleton={<Skeleton lines={5} />}>
          {(answer) => (
            <Switch>
              <Match when={answer().invitation}>
                {(invitation) => <Invited token={token} invitation={invitation()} ways={answer().ways} />}
              </Match>
              <Match when={answer().invitation === null}>
                <Note tone="warn">{t.ended}</Note>
                <LinkButton href="/console/" external>
                  {t.signIn}
                </LinkButton>
              </Match>
            </Switch>
          )}
        </Loaded>
      </div>
    </main>
  );
}

interface Ways {
  password: boolean;
  identity_provider: boolean;
}

/** The invitation, null for one that is over or never was, and the ways to sign in. */
async function invitationOf(token: string): Promise<{ invitation: Invitation | null; ways: Ways }> {
  const [invitation, { sign_in: ways }] = await Promise.all([
    token === "" ? null : openInvitation(token),
    data(publicApi.GET("/api/accounts")),
  ]);
  return { invitation, ways };
}

async function openInvitation(token: string): Promise<Invitation | null> {
  try {
    return await data(publicApi.GET("/api/invitations/{token}", { params: { path: { token } } }));
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

function Invited(props: { token: string; invitation: Invitation; ways: Ways }) {
  const enter = (session: Body<"Session">, way: Way) => {
    rememberSignIn({ account: session.account, email: session.user.email });
    beginSession(session, way);
    // A page of its own: the token leaves the address with it.
    location.replace("/console/");
  };
  return (
    <>
      <div class="stack-8">
        <p>
          {t.invites(props.invitation.invited_by, props.invitation.account_name, access.roles[props.invitation.role])}
        </p>
        <p class="muted">{access.roleHints[props.invitation.role]}</p>
        <p class="muted">{t.until(formatExact(props.invitation.expires_at))}</p>
      </div>
      <Show when={props.ways.password}>
        <NewMember
          token={props.token}
          email={props.invitation.email}
          onSession={(session) => enter(session, "password")}
        />
      </Show>
      <Show when={!props.ways.password && props.ways.identity_provider}>
        <p>{t.atProvider(props.invitation.email)}</p>
        <ProviderSignIn
          account={props.invitation.account}
          isPrimary
          onSession={(session) => enter(session, "identity_provider")}
        />
      </Show>
    </>
  );
}

/** Asks for a name and a password, and makes a member with them. */
function NewMember(props: { token: string; email: string; onSession: (session: Body<"Session">) => void }) {
  const [name, setName] = createSignal("");
  const password = createNewPassword("password");
  const attempt = createAttempt();
  const accept = async () => {
    const params = { path: { token: props.token } };
    const body = { name: name().trim(), password: password.value() };
    try {
      props.onSession(await data(publicApi.POST("/api/invitations/{token}/accept", { params, body })));
    } catch (error) {
      throw error instanceof ApiFailure && error.status === 404 ? new Error(t.ended) : error;
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (attempt.isBusy() || attempt.waitS() > 0 || password.isMismatch()) return;
    void attempt.make(() => password.send(accept), { already_member: t.alreadyMember });
  };

  return (
    <form onSubmit={submit}>
      <Fields>
        <Refusal attempt={attempt} />
        <TextField
          label={t.email}
          type="email"
          value={props.email}
          onInput={() => undefined}
          readonly
          autocomplete="username"
        />
        <TextField label={t.name} value={name()} onInput={setName} maxlength={200} autocomplete="name" autofocus />
        <NewPasswordFields
          of={password}
          words={{ label: t.password, hint: t.passwordHint, again: t.again, mismatch: t.mismatch }}
        />
        <Button
          kind="primary"
          type="submit"
          busy={attempt.isBusy()}
          disabled={attempt.waitS() > 0 || password.isMismatch()}
        >
          {t.verb}
        </Button>
      </Fields>
    </form>
  );
}
