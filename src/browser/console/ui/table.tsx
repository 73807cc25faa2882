import { A, useLocation, useNavigate } from "@solidjs/router";
import { createMemo, For, type JSX, onCleanup, onMount, Show } from "solid-js";
import { Skeleton } from "./feedback.tsx";
import { isWriting } from "./keys.ts";
import { sameRows } from "./same-rows.ts";
import styles from "./table.module.css";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => JSX.Element;
  /** Aligned to the right, for numbers. */
  numbers?: boolean;
  /** Hidden if there is little room; `phone`: shown only on a phone. */
  minor?: boolean | "phone";
  width?: string;
}

interface Props<Row> {
  /** Description for screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  /** The address that a row opens. */
  href?: ((row: Row) => string) | undefined;
  /** Whether a row is open beside the table. */
  isOpen?: (row: Row) => boolean;
  empty?: JSX.Element;
  /** Part of a larger screen: rows scroll within the table, and opening one keeps the page's scroll position. */
  scrolls?: boolean;
}

/**
 * A table with a sticky header. A click or Enter opens a row; J and K move down and up. The first cell contains a link,
 * so that a row can be opened in another tab.
 */
export function Table<Row>(props: Props<Row>) {
  const navigate = useNavigate();
  const location = useLocation();
  const addressOf = (row: Row) => {
    const path = props.href?.(row) ?? "";
    if (path.includes("?")) return path;
    const list = path.slice(0, path.lastIndexOf("/"));
    // The list's filters stay in the address of its own rows.
    return location.pathname.startsWith(`/console${list}`) ? path + narrowedBy(location.search) : path;
  };
  let body: HTMLTableSectionElement | undefined;
  const hasRows = createMemo(() => (props.rows?.length ?? 0) > 0);
  const { href } = props;
  const listed = () => props.rows ?? [];
  const rows = href ? sameRows(listed, (row) => href(row)) : listed;

  const step = (event: KeyboardEvent) => {
    const by = { j: 1, k: -1 }[event.key];
    if (by === undefined || event.metaKey || event.ctrlKey || event.altKey || isWriting(event.target)) return;
    const links = [...(body?.querySelectorAll<HTMLAnchorElement>("a[data-row]") ?? [])];
    const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    const next = links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  onMount(() => {
    addEventListener("keydown", step);
    onCleanup(() => removeEventListener("keydown", step));
  });

  const open = (event: MouseEvent, row: Row) => {
    const isControl = event.target instanceof Element && event.target.closest("a, button, input, select, label");
    if (!props.href || isControl || getSelection()?.isCollapsed === false) return;
    navigate(addressOf(row), { scroll: !props.scrolls });
  };

  return (
    <Show when={props.rows} fallback={<Skeleton rows lines={8} />}>
      <Show when={hasRows()} fallback={props.empty}>
        <section class={`${styles.frame} ${props.scrolls ? styles.scrolls : ""}`} aria-label={props.label} tabindex="0">
          <table class={styles.table}>
            <thead>
              <tr>
                <For each={props.columns}>
                  {(column) => (
                    <th scope="col" class={cellClass(column)} style={{ width: column.width }}>
                      {column.header}
                    </th>
                  )}
                </For>
              </tr>
            </thead>
            <tbody ref={body}>
              <For each={rows()}>
                {(row) => (
                  <tr
                    class={props.href ? styles.opens : undefined}
                    aria-current={props.isOpen?.(row) ? "true" : undefined}
                    onClick={(event) => open(event, row)}
                  >
                    <For each={props.columns}>
                      {(column, nth) => (
                        <td class={cellClass(column)}>
                          <Show when={nth() === 0 && props.href} fallback={column.cell(row)}>
                            <A data-row href={addressOf(row)} noScroll={props.scrolls ?? false} class={styles.link}>
                              {column.cell(row)}
                            </A>
                          </Show>
                        </td>
                      )}
                    </For>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </section>
      </Show>
    </Show>
  );
}

/** Returns the query of a list's address without the panel's own parameter. */
function narrowedBy(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("view");
  return query.size > 0 ? `?${query}` : "";
}

function cellClass({ numbers, minor }: Pick<Column<never>, "numbers" | "minor">): string {
  return [numbers && "numbers", minor === "phone" ? styles.notOnPhones : minor && styles.minor]
    .filter(Boolean)
    .join(" ");
}
