import { createEffect, createMemo, createSignal, For, Index, on, onCleanup, onMount, Show } from "solid-js";
import { board as t } from "../../../texts/index.ts";
import { isWriting } from "../../../ui/keys.ts";
import type { Row } from "../live/newest-first.ts";
import { ContactRow } from "./contact-row.tsx";
import styles from "./contacts.module.css";
import { ScrollMap } from "./scroll-map.ts";
import type { ShownContact } from "./shown-contact.ts";

/** The same values as in contacts.module.css. */
const ROW_PX = 40;
const HEAD_PX = 36;
const BORDER_PX = 2;
/** Rows drawn above and below what is seen. */
const AROUND = 6;

interface Props {
  count: number;
  /** The contact at an index of the list, with its id if known. */
  row: (index: number) => Row;
  /** The contact; undefined until it is loaded. */
  contact: (row: Row) => ShownContact | undefined;
  /** The address of its panel. */
  href: (id: string) => string;
  openId: string | undefined;
  /** Which places are seen now. */
  onSeen: (places: number[]) => void;
  /** Whether the reader is at the top, with nothing in the list in focus. */
  onIdle: (isIdle: boolean) => void;
  /** Goes to the top whenever this changes. */
  toTop: number;
}

/** A table of any length of which only the rows are drawn that are seen. J and K, or the arrows, go down and up. */
export function ContactTable(props: Props) {
  let view: HTMLElement | undefined;
  const [viewPx, setViewPx] = createSignal(0);
  const [scrolled, setScrolled] = createSignal(0);
  const [hasFocus, setFocus] = createSignal(false);
  const map = createMemo<ScrollMap>((before) => {
    const scrollMap = new ScrollMap(props.count * ROW_PX, viewPx());
    if (before && view) scrollMap.scrollTo(view.scrollTop);
    return scrollMap;
  });
  const place = createMemo(
    () => {
      map().scrollTo(scrolled());
      const first = Math.max(0, Math.floor(map().top / ROW_PX) - AROUND);
      const last = Math.min(props.count, Math.ceil((map().top + viewPx()) / ROW_PX) + AROUND) - 1;
      return { first, last, shift: map().shift };
    },
    undefined,
    { equals: (a, b) => a.first === b.first && a.last === b.last && a.shift === b.shift },
  );
  const rows = createMemo(() => {
    const { first, last } = place();
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, nth) => props.row(first + nth));
  });
  /** As many elements as rows that can be visible at once. Creating them for every row would cost most of a frame. */
  const slots = createMemo(() => Array.from({ length: Math.ceil(viewPx() / ROW_PX) + 2 * AROUND + 1 }));
  /** What an element shows: the same row for as long as that is drawn. */
  const shownIn = (slot: number) => {
    const { first, last } = place();
    const { length } = slots();
    const index = first + ((((slot - first) % length) + length) % length);
    const row = index <= last ? rows()[index - first] : undefined;
    return row && { index, row };
  };
  createEffect(() => props.onSeen(rows().map(({ place }) => place)));
  createEffect(() => props.onIdle(map().top < ROW_PX && scrolled() < ROW_PX && !hasFocus()));

  createEffect(
    on(
      () => props.toTop,
      () => view?.scrollTo(0, 0),
      { defer: true },
    ),
  );

  onMount(() => {
    if (!view) return;
    const host = view;
    const measure = () => setViewPx(Math.max(0, host.clientHeight - HEAD_PX));
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(host);
    addEventListener("keydown", step);
    onCleanup(() => {
      resized.disconnect();
      removeEventListener("keydown", step);
    });
  });

  const step = (event: KeyboardEvent) => {
    const isHere = view?.contains(document.activeElement) ?? false;
    const by = { j: 1, k: -1, ...(isHere && { ArrowDown: 1, ArrowUp: -1 }) }[event.key];
    if (by === undefined || event.metaKey || event.ctrlKey || event.altKey || isWriting(event.target)) return;
    const at = document.activeElement?.closest("[data-index]")?.getAttribute("data-index");
    const to = at == null ? place().first + (map().top > 0 ? AROUND : 0) : Number(at) + by;
    if (to < 0 || to >= props.count) return;
    event.preventDefault();
    focus(to);
  };
  const focus = (index: number) => {
    if (!view) return;
    const to = map().toShow(index * ROW_PX, (index + 1) * ROW_PX);
    if (to !== undefined) {
      view.scrollTop = to;
      setScrolled(to);
    }
    view.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true });
  };

  return (
    <section
      ref={view}
      class={styles.view}
      aria-label={t.contacts.title}
      tabindex="0"
      style={{ "max-height": `${HEAD_PX + props.count * ROW_PX + BORDER_PX}px` }}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      onFocusIn={(event) => setFocus(event.target !== event.currentTarget)}
      onFocusOut={() => setFocus(false)}
    >
      <table class={styles.table} aria-rowcount={props.count + 1}>
        <thead class={styles.head}>
          <tr class={styles.row} aria-rowindex={1}>
            <For each={HEADERS}>
              {({ label, look }) => (
                <th scope="col" class={look}>
                  {label}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody class={styles.list} style={{ height: `${map().height}px` }}>
          <Index each={slots()}>
            {(_, slot) => {
              const shown = createMemo(() => shownIn(slot), undefined, { equals: isSameRow });
              return (
                <Show when={shown()}>
                  {(found) => (
                    <ContactRow
                      index={found().index}
                      top={found().index * ROW_PX + place().shift}
                      contact={() => props.contact(found().row)}
                      href={props.href}
                      isOpen={props.openId !== undefined && found().row.id === props.openId}
                    />
                  )}
                </Show>
              );
            }}
          </Index>
        </tbody>
      </table>
    </section>
  );
}

type Shown = { index: number; row: Row } | undefined;

function isSameRow(a: Shown, b: Shown): boolean {
  return a?.index === b?.index && a?.row.id === b?.row.id && a?.row.place === b?.row.place;
}

const HEADERS = [
  { label: t.contacts.columns.number, look: styles.number },
  { label: t.contacts.columns.state, look: styles.state },
  { label: t.contacts.columns.why, look: styles.why },
  { label: t.contacts.columns.about, look: styles.about },
  { label: t.contacts.columns.tries, look: styles.tries },
  { label: t.contacts.columns.changed, look: styles.changed },
];
