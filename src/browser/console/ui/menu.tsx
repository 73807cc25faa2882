import { Menu as Ark } from "@ark-ui/solid/menu";
import { For, type JSX, Show } from "solid-js";
import { Portal } from "solid-js/web";
import { Check } from "./icons.tsx";
import { Row } from "./layout.tsx";
import styles from "./menu.module.css";

export type MenuItem = {
  label: string;
  /** More text beside the label. */
  more?: string;
  isCurrent?: boolean;
} & ({ href: string; run?: never } | { href?: never; run: () => void });

interface MenuGroup {
  title?: string;
  items: MenuItem[];
}

export function Menu(props: { label: string; trigger: JSX.Element; class: string | undefined; groups: MenuGroup[] }) {
  const items = () => props.groups.flatMap((group) => group.items);
  const groups = () => props.groups.filter((group) => group.items.length > 0);
  return (
    <Ark.Root
      positioning={{ placement: "bottom-start", gutter: 4 }}
      onSelect={({ value }) =>
        items()
          .find((item) => keyOf(item) === value)
          ?.run?.()
      }
    >
      <Ark.Trigger class={props.class} title={props.label} aria-label={props.label}>
        {props.trigger}
      </Ark.Trigger>
      <Portal>
        <Ark.Positioner>
          <Ark.Content class={styles.menu}>
            <For each={groups()}>
              {(group, nth) => (
                <>
                  <Show when={nth() > 0}>
                    <Ark.Separator class={styles.line} />
                  </Show>
                  <Ark.ItemGroup>
                    <Show when={group.title}>
                      <Ark.ItemGroupLabel class={styles.title}>{group.title}</Ark.ItemGroupLabel>
                    </Show>
                    <For each={group.items}>{(item) => <Item item={item} />}</For>
                  </Ark.ItemGroup>
                </>
              )}
            </For>
          </Ark.Content>
        </Ark.Positioner>
      </Portal>
    </Ark.Root>
  );
}

/** Identifies an item, even if another one has the same label. */
const keyOf = ({ label, more = "" }: MenuItem) => `${label} ${more}`;

function Item(props: { item: MenuItem }) {
  const content = () => (
    <>
      <Row as="span" gap={6} align="center">
        {props.item.label}
        <Show when={props.item.isCurrent}>
          <Check size={14} />
        </Show>
      </Row>
      <Show when={props.item.more}>
        <span class="muted">{props.item.more}</span>
      </Show>
    </>
  );
  return (
    <Show
      when={props.item.href}
      fallback={
        <Ark.Item
          value={keyOf(props.item)}
          class={styles.item}
          aria-current={props.item.isCurrent ? "true" : undefined}
        >
          {content()}
        </Ark.Item>
      }
    >
      {(href) => (
        <Ark.Item
          value={keyOf(props.item)}
          class={styles.item}
          asChild={(attributes) => (
            <a {...attributes()} href={href()} target="_blank" rel="noreferrer">
              {content()}
            </a>
          )}
        />
      )}
    </Show>
  );
}
