import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { useQuery } from "../api/use-query.ts";
import { signIn as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Loaded, Note, Skeleton } from "../ui/feedback.tsx";
import { lastSignIn, rememberSignIn } from "./last-sign-in.ts";
import { PasswordForm } from "./password-form.tsx";
import { ProviderSignIn } from "./provider-sign-in.tsx";
import { beginSession, type Way } from "./session.ts";
import styles from "./sign-in.module.css";
import { SignInCard } from "./sign-in-card.tsx";

/** A signed-in user who still has to choose an account. */
interface Undecided {
  session: Body<"Session">;
  way: Way;
}

export function SignIn() {
  const last = lastSignIn();
  const [account, setAccount] = createSignal(last.account);
  const [undecided, setUndecided] = createSignal<Undecided>();
  const offered = useQuery(() => query(["sign-in"], (signal) => data(api.GET("/api/accounts", { signal }))));

  const begin = ({ session, way }: Undecided, name = session.account) => {
    rememberSignIn({ account: name, email: session.user.email });
    beginSession(session, way, name);
  };
  /** With several accounts, opens the last one used, otherwise asks which. */
  const atProvider = (session: Body<"Session">) => {
    const signedIn = { session, way: "identity_provider" } as const;
    const remembered = session.accounts.find(({ name }) => name === last.account);
    if (account() !== "" && account() === session.account) begin(signedIn);
    else if (remembered || session.accounts.length < 2) begin(signedIn, remembered?.name);
    else setUndecided(signedIn);
  };

  return (
    <SignInCard tab={t.verb}>
      <Show
        when={undecided()}
        fallback={
          <>
            <h1>{t.title}</h1>
            <Loaded query={offered} skeleton={<Skeleton lines={5} />}>
              {(found) => (
                <>
                  <Show when={found().sign_in.password}>
                    <PasswordForm
                      account={account()}
                      listed={found().accounts}
                      onAccount={setAccount}
                      onSession={(session) => begin({ session, way: "password" })}
                    />
                  </Show>
                  <Show when={found().sign_in.password && found().sign_in.identity_provider}>
                    <p class={styles.or}>{t.or}</p>
                  </Show>
                  <Show when={found().sign_in.identity_provider}>
                    <ProviderSignIn
                      account={found().sign_in.password ? account() : ""}
                      isPrimary={!found().sign_in.password}
                      onSession={atProvider}
                    />
                  </Show>
                  <Show when={!found().sign_in.password && !found().sign_in.identity_provider}>
                    <Note tone="warn">{t.noWay}</Note>
                  </Show>
                </>
              )}
            </Loaded>
          </>
        }
      >
        {(signedIn) => (
          <>
            <h1>{t.chooseTitle}</h1>
            <p class="muted">{t.choose(signedIn().session.user.email || signedIn().session.user.name)}</p>
            <ul class={styles.accounts}>
              <For each={signedIn().session.accounts}>
                {({ name, display_name }) => (
                  <li>
                    <button type="button" class={styles.account} onClick={() => begin(signedIn(), name)}>
                      <span>{display_name}</span>
                      <span class="muted">{name}</span>
                    </button>
                  </li>
                )}
              </For>
            </ul>
            <div>
              <Button kind="quiet" onClick={() => setUndecided(undefined)}>
                {t.other}
              </Button>
            </div>
          </>
        )}
      </Show>
    </SignInCard>
  );
}
