import { useLocation } from "@solidjs/router";
import { createEffect, createSignal, Match, on, Switch } from "solid-js";
import { common, shell as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failure } from "../ui/feedback.tsx";
import { type Reason, whyNotLoaded } from "./why-not-loaded.ts";

/** Matches browsers' messages about a script that couldn't be loaded. Each browser has its own. */
const NOT_LOADED = /dynamically imported module|importing a module script failed|preload/i;

/** Shown instead of a screen that failed or couldn't be loaded. */
export function ScreenFailure(props: { error: unknown; retry: () => void }) {
  const location = useLocation();
  createEffect(on(() => location.pathname, props.retry, { defer: true }));
  const notLoaded = () =>
    props.error instanceof Error && NOT_LOADED.test(props.error.message) ? props.error.message : undefined;
  return (
    <Switch fallback={<Failure error={props.error} retry={props.retry} />}>
      <Match when={notLoaded()}>{(message) => <NotLoaded message={message()} />}</Match>
    </Switch>
  );
}

/** A script that failed to load is only loaded again with the page, which requires that the service responds. */
function NotLoaded(props: { message: string }) {
  const [reason, setReason] = createSignal<Reason>();
  const [isAsking, setAsking] = createSignal(false);
  const ask = async () => {
    setAsking(true);
    setReason(await whyNotLoaded(props.message));
    setAsking(false);
  };
  void ask();
  const tryAgain = async () => {
    await ask();
    if (reason() !== "unreachable") window.location.reload();
  };
  const retry = (words: string) => (
    <Button kind="primary" busy={isAsking()} onClick={() => void tryAgain()}>
      {words}
    </Button>
  );
  return (
    <Switch>
      <Match when={reason() === "replaced"}>
        <Empty title={t.outdatedTitle} action={retry(t.reload)}>
          {t.outdated}
        </Empty>
      </Match>
      <Match when={reason() === "unreachable"}>
        <Empty title={t.notLoadedTitle} action={retry(common.retry)}>
          {common.unreachable}
        </Empty>
      </Match>
      <Match when={reason() === "failed"}>
        <Empty title={t.notLoadedTitle} action={retry(common.retry)}>
          {t.notLoaded}
        </Empty>
      </Match>
    </Switch>
  );
}
