import { Index, type JSX, Match, Show, Switch } from "solid-js";
import { ApiFailure } from "../api/client.ts";
import type { Answer } from "../api/queries.ts";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import styles from "./feedback.module.css";
import { wordsOf } from "./toast.tsx";

export function Empty(props: { title: string; children?: JSX.Element; action?: JSX.Element }) {
  return (
    <div class={styles.empty}>
      <h2>{props.title}</h2>
      <div class="muted">{props.children}</div>
      {props.action}
    </div>
  );
}

/** Shown if nothing exists at this address. Its children say why, if that is known. */
export function NotFound(props: { children?: JSX.Element }) {
  return <Empty title={common.notFound}>{props.children ?? common.notFoundMore}</Empty>;
}

/** An error in plain words, with the request ID under "Details". */
export function Failure(props: { error: unknown; retry?: () => void }) {
  const requestId = () => (props.error instanceof ApiFailure ? props.error.requestId : "");
  return (
    <div class={styles.failure} role="alert">
      <strong>{wordsOf(props.error)}</strong>
      <Show when={props.retry}>
        {(retry) => (
          <Button small onClick={() => retry()()}>
            {common.retry}
          </Button>
        )}
      </Show>
      <Show when={requestId()}>
        <details>
          <summary>{common.details}</summary>
          {common.requestId}: <code>{requestId()}</code>
        </details>
      </Show>
    </div>
  );
}

/** A note. Its text also expresses its tone. */
export function Note(props: { tone?: "info" | "warn" | "ok"; children: JSX.Element }) {
  return <div class={`${styles.note} ${props.tone ? styles[props.tone] : ""}`}>{props.children}</div>;
}

/** Placeholder bars while something loads, shown after 150 ms; `rows` for a table. */
export function Skeleton(props: { lines?: number; rows?: boolean }) {
  return (
    <div class={`${styles.skeleton} ${props.rows ? styles.rows : ""}`} role="status" aria-label={common.loading}>
      <Index each={Array.from({ length: props.lines ?? 6 })}>{() => <div class={styles.bar} />}</Index>
    </div>
  );
}

/**
 * Renders the result of a query, or its state: a skeleton while it loads, or an error with a retry button. A missing
 * resource shows as not found.
 */
export function Loaded<T>(props: {
  query: Answer<T>;
  skeleton?: JSX.Element;
  /** Why the resource may be missing. */
  missing?: JSX.Element;
  children: (data: () => NonNullable<T>) => JSX.Element;
}) {
  const isMissing = () => props.query.error instanceof ApiFailure && props.query.error.status === 404;
  return (
    <Switch fallback={<NotFound />}>
      <Match when={props.query.isPending}>{props.skeleton ?? <Skeleton />}</Match>
      <Match when={props.query.isLoadingError && isMissing()}>
        <NotFound>{props.missing}</NotFound>
      </Match>
      <Match when={props.query.isLoadingError}>
        <Failure error={props.query.error} retry={() => void props.query.refetch()} />
      </Match>
      <Match when={props.query.data}>{(data) => props.children(data)}</Match>
    </Switch>
  );
}
