import { createSignal, Match, Show, Switch } from "solid-js";
import { ApiFailure, type Body, data, publicApi } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { useQuery } from "../api/use-query.ts";
import { formatExact } from "../texts/format.ts";
import { access, accept as t } from "../texts/index.ts";
import { LinkButton } from "../ui/button.tsx";
import { Loaded, Note, Skeleton } from "../ui/feedback.tsx";
import { TextField } from "../ui/fields.tsx";
import { rememberSignIn } from "./last-sign-in.ts";
import { NewPasswordForm } from "./new-password-form.tsx";
import { ProviderSignIn } from "./provider-sign-in.tsx";
import { beginSession, type Way } from "./session.ts";
import { SignInCard } from "./sign-in-card.tsx";

type Invitation = Body<"OpenInvitation">;

/** Accepts an invitation from a link. Its token is in the fragment of the URL, which browsers don't send to servers. */
export default function Accept() {
  const token = location.hash.slice(1);
  const found = useQuery(() => query(["invitation"], () => invitationOf(token)));
  return (
    <SignInCard tab={t.title} heading={t.title}>
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
    </SignInCard>
  );
}

interface Ways {
  password: boolean;
  identity_provider: boolean;
}

/** Returns the invitation, null if it is invalid, and the ways to sign in. */
async function invitationOf(token: string): Promise<{ invitation: Invitation | null; ways: Ways }> {
  const [invitation, { sign_in: ways }] = await Promise.all([
    token === "" ? null : openInvitation(token),
    data(publicApi.GET("/api/accounts")),
  ]);
  return { invitation, ways };
}

async function openInvitation(token: string): Promise<Invitation | null> {
  try {
    return await data(publicApi.POST("/api/invitations/lookup", { body: { token } }));
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

/** Returns the account's display name, followed by its own name: any account can choose the display name of another. */
function nameForStrangers({ account, account_name }: Invitation): string {
  return account === account_name ? account : `${account_name} (${account})`;
}

function Invited(props: { token: string; invitation: Invitation; ways: Ways }) {
  const enter = (session: Body<"Session">, way: Way) => {
    rememberSignIn({ account: session.account, email: session.user.email });
    beginSession(session, way);
    // Loads another page, so that the token leaves the address.
    location.replace("/console/");
  };
  return (
    <>
      <div class="stack-8">
        <p>
          {t.invites(
            props.invitation.invited_by,
            nameForStrangers(props.invitation),
            access.roles[props.invitation.role],
          )}
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

/** Asks for a name and a password, and creates the member. */
function NewMember(props: { token: string; email: string; onSession: (session: Body<"Session">) => void }) {
  const [name, setName] = createSignal("");
  const accept = async (password: string) => {
    const body = { token: props.token, name: name().trim(), password };
    try {
      props.onSession(await data(publicApi.POST("/api/invitations/accept", { body })));
    } catch (error) {
      throw error instanceof ApiFailure && error.status === 404 ? new Error(t.ended) : error;
    }
  };
  return (
    <NewPasswordForm
      name="password"
      send={accept}
      refusals={{ already_member: t.alreadyMember }}
      words={{ label: t.password, hint: t.passwordHint, again: t.again, mismatch: t.mismatch, verb: t.verb }}
    >
      <TextField
        label={t.email}
        type="email"
        value={props.email}
        onInput={() => undefined}
        readonly
        autocomplete="username"
      />
      <TextField label={t.name} value={name()} onInput={setName} maxlength={200} autocomplete="name" autofocus />
    </NewPasswordForm>
  );
}
