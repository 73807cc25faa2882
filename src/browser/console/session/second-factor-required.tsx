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

/** Leads somebody to a second factor in an account that requires one; until then there is nothing else to do but sign out. */
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
  // Keeps the initial value: once the new factor is in force, its recovery codes still have to be shown.
  const { hasFactor } = props;
  // Begun by a click, in one of the tabs: each beginning takes the place of the one before.
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
