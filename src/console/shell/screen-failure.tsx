import { useLocation } from "@solidjs/router";
import { createEffect, on } from "solid-js";
import { shell as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failure } from "../ui/feedback.tsx";

/** What a browser says of a script that is not there any more: each says it in words of its own. */
const NOT_LOADED = /dynamically imported module|importing a module script failed|preload/i;

/** What stands in the place of a screen that broke, or that was replaced by a newer release while this page was open. */
export function ScreenFailure(props: { error: unknown; retry: () => void }) {
  const location = useLocation();
  createEffect(on(() => location.pathname, props.retry, { defer: true }));
  const isOutdated = () => props.error instanceof Error && NOT_LOADED.test(props.error.message);
  return isOutdated() ? (
    <Empty
      title={t.outdatedTitle}
      action={
        <Button kind="primary" onClick={() => window.location.reload()}>
          {t.reload}
        </Button>
      }
    >
      {t.outdated}
    </Empty>
  ) : (
    <Failure error={props.error} retry={props.retry} />
  );
}
