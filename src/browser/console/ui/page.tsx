import { A, useIsRouting, useLocation, useNavigate, useParams, useSearchParams } from "@solidjs/router";
import { children, createEffect, createSignal, For, type JSX, on, onCleanup, onMount, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { mayOpen } from "../api/addresses.ts";
import { common } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import { Maximize2 as Maximize, Minimize2 as Minimize, X } from "./icons.tsx";
import { isDialogOpen, isWriting } from "./keys.ts";
import styles from "./page.module.css";

/** Matches windows that are too narrow for a panel beside its list. The panel replaces the list there. */
const narrow = matchMedia("(max-width: 1080px)");
const [isNarrow, setNarrow] = createSignal(narrow.matches);
narrow.addEventListener("change", ({ matches }) => setNarrow(matches));

interface Title {
  /** A panel's title goes before that of the screen beside it, whichever of the two loads first. */
  of: "screen" | "panel";
  text: string;
}

/**
 * The titles of what is shown, in the order in which it appeared. This is no signal, because what the cleanup of a
 * screen writes to a signal is lost if the next screen wrote to it as well.
 */
let titles: Title[] = [];

function showTitle(): void {
  const shown = titles.findLast(({ of }) => of === "panel") ?? titles.at(-1);
  if (shown) document.title = `${shown.text} · ${common.product}`;
}

/** Gives the browser's tab this title while the component exists. */
function useTitle(of: Title["of"], text: () => string): void {
  const title = { of, text: "" };
  createEffect(() => {
    title.text = text();
    if (!titles.includes(title)) titles.push(title);
    showTitle();
  });
  onCleanup(() => {
    titles = titles.filter((each) => each !== title);
    showTitle();
  });
}

/** A screen with its title, actions and content. */
export function Page(props: {
  title: string;
  lead?: JSX.Element;
  actions?: JSX.Element;
  /** Uses the full width, for tables. */
  wide?: boolean;
  children: JSX.Element;
}) {
  // Created only once, although it is read twice.
  const lead = children(() => props.lead);

  useTitle("screen", () => props.title);
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

export function Card(props: { children: JSX.Element; class?: string | undefined }) {
  return <div class={`${styles.card} ${props.class ?? ""}`}>{props.children}</div>;
}

/** The buttons at the end of a panel's form, primary first. They stay visible while the form scrolls. */
export function FormFooter(props: { children: JSX.Element }) {
  return <div class={`${styles.actions} ${styles.formFooter}`}>{props.children}</div>;
}

/** A list, and the open row beside it if the address names one. `?view=full` shows only the row. */
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

/** Renders its children for the `:id` in the address, and recreates them when the ID changes. */
export function ById(props: { children: (id: string) => JSX.Element }) {
  const params = useParams<{ id: string }>();
  return (
    <Show when={params.id} keyed>
      {(id) => props.children(id)}
    </Show>
  );
}

/** The open row of a list, beside the list or as a full page (F). Escape closes it. */
export function SidePanel(props: {
  title: string;
  lead?: JSX.Element;
  /** The address that opens when the panel closes. */
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
  /** Checks whether the list is part of another page with its own heading: its address is below that page's. */
  const isWithinPage = () => props.closeTo.lastIndexOf("/") > 0;
  /** Checks whether the list, which otherwise holds the page's heading, is hidden. */
  const isAlone = () => !isWithinPage() && (isFull() || isNarrow());
  const toggle = () => setSearch({ view: isFull() ? undefined : "full" }, { replace: true });
  const close = () => {
    const rest = new URLSearchParams(location.search);
    rest.delete("view");
    // Keeps the list's scroll position.
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
  useTitle("panel", () => props.title);
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

interface Tab {
  label: string;
  href: string;
  /** Whether the tab is also current at the present address. */
  isCurrent?: boolean;
}

/** Links to the views of a resource. */
export function Tabs(props: { label: string; tabs: Tab[] }) {
  const location = useLocation();
  // Keeps the current tab visible, because tabs scroll in narrow windows.
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

/** Filters of a list. Their values are stored in the address. */
export function FilterBar(props: { children: JSX.Element }) {
  return <div class={styles.filters}>{props.children}</div>;
}
