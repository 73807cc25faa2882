import { createSignal, Show } from "solid-js";
import { ApiFailure, api, type Body, data, publicApi } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { useQuery } from "../api/use-query.ts";
import { PasswordForm } from "../session/password-form.tsx";
import { session, widenSession } from "../session/session.ts";
import { joinAccount as t } from "../texts/index.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failure, Loaded, Skeleton } from "../ui/feedback.tsx";
import { setJoining } from "./join-state.ts";
import { goToAccount } from "./leave.ts";

/** Signs in to another account of the user, joins it to the session and opens it. */
export default function JoinAccount() {
  const [account, setAccount] = createSignal("");
  const [failure, setFailure] = createSignal<unknown>();
  const offered = useQuery(() => query(["sign-in"], (signal) => data(publicApi.GET("/api/accounts", { signal }))));
  const listed = () => offered.data?.accounts.filter(({ name }) => !isOpen(name)) ?? [];

  const join = async (other: Body<"Session">) => {
    setFailure(undefined);
    try {
      const { access_token } = other;
      widenSession(await data(api.POST("/api/memberships/join", { body: { access_token } })));
      setJoining(false);
      await goToAccount(other.account);
    } catch (error) {
      setFailure(error instanceof ApiFailure && error.code === "too_many_joined" ? new Error(t.tooMany) : error);
    }
  };
  return (
    <Dialog title={t.title} onClose={() => setJoining(false)}>
      <div class="stack-12">
        <p class="muted">{t.lead}</p>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <Loaded query={offered} skeleton={<Skeleton lines={4} />}>
          {() => (
            <PasswordForm
              account={account()}
              listed={listed()}
              onAccount={setAccount}
              onSession={(other) => void join(other)}
            />
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}

const isOpen = (name: string) => session()?.accounts.some((open) => open.name === name) === true;
