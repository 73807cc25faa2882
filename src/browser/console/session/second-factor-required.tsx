import { createSignal, Show } from "solid-js";
import { useQuery } from "../api/use-query.ts";
import { shell, secondFactor as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Loaded, Skeleton } from "../ui/feedback.tsx";
import { ownFactor } from "./own-factor.ts";
import { SecondFactorSetup } from "./second-factor-setup.tsx";
import { factorShown, session } from "./session.ts";
import { SignInCard } from "./sign-in-card.tsx";
import { signOut } from "./sign-out.ts";

/** Leads the user to a second factor if the account requires one. Until then they can only sign out. */
export default function SecondFactorRequired() {
  const factor = useQuery(ownFactor);
  return (
    <SignInCard tab={t.requiredTitle} heading={t.requiredTitle}>
      <Loaded query={factor} skeleton={<Skeleton lines={5} />}>
        {(found) => <Step hasFactor={found().enabled} />}
      </Loaded>
      <Button kind="quiet" onClick={() => void signOut()}>
        {shell.signOut}
      </Button>
    </SignInCard>
  );
}

function Step(props: { hasFactor: boolean }) {
  // Keeps the initial value: after the new factor is confirmed, its recovery codes must still be shown.
  const { hasFactor } = props;
  // Begun by a click, because each setup replaces the previous one, even one in another tab.
  const [isBegun, setBegun] = createSignal(false);
  const account = () => session()?.accounts.find(({ name }) => name === session()?.account)?.display_name;
  if (!hasFactor)
    return (
      <>
        <p class="muted">{t.required(account() ?? session()?.account ?? "")}</p>
        <Show
          when={isBegun()}
          fallback={
            <Button kind="primary" onClick={() => setBegun(true)}>
              {t.setUp}
            </Button>
          }
        >
          <SecondFactorSetup isReplacing={false} onDone={factorShown} />
        </Show>
      </>
    );
  return (
    <>
      <p class="muted">{t.hasOne}</p>
      <Button kind="primary" onClick={() => void signOut()}>
        {t.signInAgain}
      </Button>
    </>
  );
}
