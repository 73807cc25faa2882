import { A, useIsRouting, useLocation, useNavigate, useParams, useSearchParams } from "@solidjs/router";
import { children, createEffect, createSignal, For, type JSX, on, onCleanup, onMount, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { mayOpen } from "../api/addresses.ts";
import { common } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import { Maximize2 as Maximize, Minimize2 as Minimize, X } from "./icons.tsx";
import { isDialogOpen, isWriting } from "./keys.ts";
import styles from "./page.module.css";

/** Matches windows too narrow to show a panel beside its list: the panel replaces the list. */
const narrow = matchMedia("(max-width: 1080px)");
const [isNarrow, setNarrow] = createSignal(narrow.matches);
narrow.addEventListener("change", ({ matches }) => setNarrow(matches));

/** A screen: its title, what can be done on it, and what it shows. */
export function Page(props: {
  title: string;
  /** A line under the title. */
  lead?: JSX.Element;
  actions?: JSX.Element;
  /** Tables use all the room there is. */
  wide?: boolean;
  children: JSX.Element;
}) {
  // Created once, even though it is read twice.
  const lead = children(() => props.lead);

  createEffect(() => {
    document.title = `${props.title} · ${common.product}`;
  });
  return (
    <div class={`${styles.page} ${props.wide ? styles.wide : ""}`}>
      <header class={styles.header}>
        <div>
          <h1>{props.title}</h1>
          <Show when={lead()}>
            <div class="muted">{lead()}</div>
          </Show>
        </div>
        <div class={styles.actions}>{props.actions}</div>
      </header>
      {props.children}
    </div>
  );
}

/** A part of a screen with a heading of its own. */
export function Section(props: { title: string; actions?: JSX.Element; children: JSX.Element }) {
  return (
    <section class="stack-12">
      <header class={styles.sectionHeader}>
        <h2>{props.title}</h2>
        <div class={styles.actions}>{props.actions}</div>
      </header>
      {props.children}
    </section>
  );
}

/** A framed area. */
export function Card(props: { children: JSX.Element; class?: string | undefined }) {
  return <div class={`${styles.card} ${props.class ?? ""}`}>{props.children}</div>;
}

/** The buttons at the end of a panel's form, the one that saves first; in view however long the form is. */
export function FormFooter(props: { children: JSX.Element }) {
  return <div class={`${styles.actions} ${styles.formFooter}`}>{props.children}</div>;
}

/** A list and, where its address names one, the open row beside it; `?view=full` shows the row alone. */
export function ListAndPanel(props: { list: JSX.Element; isOpen: boolean; panel: JSX.Element }) {
  const [search] = useSearchParams();
  const isFull = () => search.view === "full";
  return (
    <div class={styles.split} data-open={props.isOpen ? (isFull() ? "full" : "beside") : undefined}>
      <div class={styles.list}>{props.list}</div>
      {props.panel}
    </div>
  );
}

/** The screen for the `:id` in the address, created anew when the id changes. */
export function ById(props: { children: (id: string) => JSX.Element }) {
  const params = useParams<{ id: string }>();
  return (
    <Show when={params.id} keyed>
      {(id) => props.children(id)}
    </Show>
  );
}

/** The open row of a list: beside it, or with F as a page. Escape closes it. */
export function SidePanel(props: {
  title: string;
  lead?: JSX.Element;
  /** The list's address, to which it closes. */
  closeTo: string;
  actions?: JSX.Element;
  children: JSX.Element;
}) {
  const lead = children(() => props.lead);
  const actions = children(() => props.actions);

  const navigate = useNavigate();
  const location = useLocation();
  const isRouting = useIsRouting();
  const [search, setSearch] = useSearchParams();
  const isFull = () => search.view === "full";
  /** Checks whether the list is part of another page, which has its own heading: its address is below that page's. */
  const isWithinPage = () => props.closeTo.lastIndexOf("/") > 0;
  /** Checks whether the list, which otherwise holds the page's heading, is hidden. */
  const isAlone = () => !isWithinPage() && (isFull() || isNarrow());
  const toggle = () => setSearch({ view: isFull() ? undefined : "full" }, { replace: true });
  const close = () => {
    const rest = new URLSearchParams(location.search);
    rest.delete("view");
    // The list stays where it was.
    navigate(`${props.closeTo}${rest.size > 0 ? `?${rest}` : ""}`, { scroll: false });
  };
  const key = (event: KeyboardEvent) => {
    const isElsewhere = event.defaultPrevented || isWriting(event.target) || isRouting() || isDialogOpen();
    if (isElsewhere || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "Escape") close();
    if (event.key === "f") toggle();
  };
  onMount(() => {
    addEventListener("keydown", key);
    onCleanup(() => removeEventListener("keydown", key));
  });
  createEffect(() => {
    document.title = `${props.title} · ${common.product}`;
  });
  return (
    <aside class={styles.panel} aria-label={props.title}>
      <header class={styles.panelHeader}>
        <div class={styles.panelTitle}>
          <Dynamic component={isAlone() ? "h1" : "h2"} class={styles.panelHeading}>
            {props.title}
          </Dynamic>
          <Show when={lead()}>
            <div class="muted">{lead()}</div>
          </Show>
        </div>
        <div class={styles.panelButtons}>
          <IconButton
            icon={isFull() ? Minimize : Maximize}
            label={isFull() ? common.besideList : common.fullPage}
            onClick={toggle}
          />
          <IconButton icon={X} label={common.close} onClick={close} />
        </div>
      </header>
      <Show when={actions()}>
        <div class={styles.panelActions}>{actions()}</div>
      </Show>
      <div class={styles.panelBody}>{props.children}</div>
    </aside>
  );
}

/** A way of looking at a thing, with an address of its own. */
interface Tab {
  label: string;
  href: string;
  /** It is shown also at another address, that of now. */
  isCurrent?: boolean;
}

/** The ways of looking at a thing, as links. */
export function Tabs(props: { label: string; tabs: Tab[] }) {
  const location = useLocation();
  // In narrow windows the tabs scroll; keeps the current one visible.
  const showCurrent = (nav: HTMLElement) => {
    createEffect(
      on(
        () => location.pathname,
        () =>
          nav.querySelector("[aria-current], [data-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
      ),
    );
  };
  return (
    <nav class={styles.tabs} aria-label={props.label} ref={showCurrent}>
      <For each={props.tabs.filter(({ href }) => mayOpen(href))}>
        {(tab) => (
          <A
            href={tab.href}
            end
            class={tabClass(tab)}
            activeClass={styles.currentTab}
            data-current={tab.isCurrent ? "" : undefined}
          >
            {tab.label}
          </A>
        )}
      </For>
    </nav>
  );
}

const tabClass = (tab: Tab) => `${styles.tab} ${tab.isCurrent ? styles.currentTab : ""}`;

/** What narrows a list down; its values are the address's. */
export function FilterBar(props: { children: JSX.Element }) {
  return <div class={styles.filters}>{props.children}</div>;
}
