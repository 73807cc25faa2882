import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Match, Show, Switch, splitProps } from "solid-js";
import { Dynamic } from "solid-js/web";
import { mayOpen } from "../api/addresses.ts";
import { may, type Operation } from "../api/may.ts";
import styles from "./button.module.css";
import type { Icon } from "./icons.tsx";
import { useReadOnly } from "./read-only.tsx";

/** The prominence of a button: one primary action per screen, dangerous ones in red. */
type Kind = "plain" | "primary" | "danger" | "dangerPrimary" | "quiet";

interface Look {
  kind?: Kind | undefined;
  icon?: Icon | undefined;
  small?: boolean | undefined;
}

interface Needs {
  /** The operation of the button or of the screen it opens. Users who may not use it don't see the button. */
  needs?: Operation | undefined;
}

/** Returns whether a button is shown: only to users who may use its operation, and not in a read-only form. */
function useOffer(props: Needs): () => boolean {
  const isReadOnly = useReadOnly();
  return () => !isReadOnly() && (props.needs === undefined || may(props.needs));
}

const look = (props: Look, more = "") =>
  [styles.button, props.kind && styles[props.kind], props.small && styles.small, more].filter(Boolean).join(" ");

function Sign(props: { icon: Icon | undefined }) {
  return <Show when={props.icon}>{(icon) => <Dynamic component={icon()} size={16} />}</Show>;
}

/** A button labeled with a verb. It is disabled while `busy`. */
export function Button(props: Look & Needs & { busy?: boolean } & JSX.ButtonHTMLAttributes<HTMLButtonElement>) {
  const [own, rest] = splitProps(props, ["kind", "icon", "small", "busy", "children", "disabled", "class", "needs"]);
  const isOffered = useOffer(own);
  return (
    <Show when={isOffered()}>
      <button
        type="button"
        {...rest}
        disabled={own.disabled || own.busy}
        aria-busy={own.busy ? "true" : undefined}
        class={look(own, own.class)}
      >
        <Sign icon={own.icon} />
        {own.children}
      </button>
    </Show>
  );
}

/** A button with only an icon. `label` is its tooltip and its name for screen readers. */
export function IconButton(
  props: Look & Needs & { icon: Icon; label: string } & JSX.ButtonHTMLAttributes<HTMLButtonElement>,
) {
  const [own, rest] = splitProps(props, ["kind", "icon", "small", "label", "class", "needs"]);
  const isOffered = useOffer(own);
  return (
    <Show when={isOffered()}>
      <button
        type="button"
        {...rest}
        title={own.label}
        aria-label={own.label}
        class={look({ kind: own.kind ?? "quiet", small: own.small }, `${styles.icon} ${own.class ?? ""}`)}
      >
        <Sign icon={own.icon} />
      </button>
    </Show>
  );
}

/** A link that looks like a button. An address outside the console is a plain link. */
export function LinkButton(props: Look & Needs & { href: string; external?: boolean; children: JSX.Element }) {
  const content = () => (
    <>
      <Sign icon={props.icon} />
      {props.children}
    </>
  );
  return (
    <Switch>
      <Match when={!mayOpen(props.href) || (props.needs !== undefined && !may(props.needs))}>{null}</Match>
      <Match when={props.external}>
        <a href={props.href} class={look(props)}>
          {content()}
        </a>
      </Match>
      <Match when={!props.external}>
        <A href={props.href} class={look(props)}>
          {content()}
        </A>
      </Match>
    </Switch>
  );
}
