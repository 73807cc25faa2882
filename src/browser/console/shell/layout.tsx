import { A, type RouteSectionProps, useLocation } from "@solidjs/router";
import { createEffect, createSignal, ErrorBoundary, For, lazy, on, Show, Suspense } from "solid-js";
import { Dynamic } from "solid-js/web";
import { mayOpen, neededAt } from "../api/addresses.ts";
import { EndsSoon } from "../session/ends-soon.tsx";
import { common, shell as t } from "../texts/index.ts";
import { IconButton } from "../ui/button.tsx";
import { cancelQuestion } from "../ui/confirm.tsx";
import { LogOut, Menu, Monitor, Moon, PanelLeft, Search, Sun } from "../ui/icons.tsx";
import { COMMAND_KEY } from "../ui/keys.ts";
import { Stack } from "../ui/layout.tsx";
import { NotAllowed } from "../ui/not-allowed.tsx";
import { switchTheme, theme } from "../ui/theme.ts";
import { Badge } from "../ui/values.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { followScreen } from "./follow-screen.ts";
import { isJoining } from "./join-state.ts";
import styles from "./layout.module.css";
import { leave } from "./leave.ts";
import { useRunning } from "./live.ts";
import { AccountMenu, HelpMenu } from "./menus.tsx";
import { openPalette } from "./palette-state.ts";
import { ScreenFailure } from "./screen-failure.tsx";
import { shownScreens } from "./screens.ts";

/** Loaded on demand, because few users need it. */
const JoinAccount = lazy(() => import("./join-account.tsx"));
const COLLAPSED = "switchboard-rail";
const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon };

export function Layout(props: RouteSectionProps) {
  const location = useLocation();
  const [isCollapsed, setCollapsed] = createSignal(localStorage.getItem(COLLAPSED) === "collapsed");
  const [isMenuOpen, setMenuOpen] = createSignal(false);
  const collapse = () => {
    setCollapsed(!isCollapsed());
    localStorage.setItem(COLLAPSED, isCollapsed() ? "collapsed" : "open");
  };
  const address = () => location.pathname.replace(/^\/console/, "");
  /** The missing operation if the user may not open the screen. */
  const denied = () => (mayOpen(address()) ? undefined : neededAt(address()));
  let content: HTMLElement | undefined;
  let rail: HTMLElement | undefined;
  followScreen(() => content);
  createEffect(
    on(
      () => location.pathname,
      () => {
        // On a phone the menu would cover the screen.
        setMenuOpen(false);
        // The question is about what the screen showed before.
        cancelQuestion();
      },
    ),
  );

  // In a low window the current screen's entry may be scrolled out of view.
  createEffect(
    on([() => location.pathname, isMenuOpen], () =>
      requestAnimationFrame(() => rail?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" })),
    ),
  );

  return (
    <div
      class={styles.frame}
      data-rail={isCollapsed() ? "collapsed" : "open"}
      data-menu={isMenuOpen() ? "open" : "closed"}
    >
      <a class={styles.skip} href="#content" rel="external">
        {t.skip}
      </a>
      <header class={styles.header}>
        <div class={styles.menuButton}>
          <IconButton
            icon={Menu}
            label={isMenuOpen() ? t.closeMenu : t.openMenu}
            aria-expanded={isMenuOpen()}
            onClick={() => setMenuOpen(!isMenuOpen())}
          />
        </div>
        <A href="/" class={styles.brand} aria-label={common.product}>
          <img src="/docs/icon.svg" alt="" width="24" height="24" />
          <span class={styles.word}>{common.product}</span>
        </A>
        <AccountMenu />
        <button type="button" class={styles.search} onClick={openPalette}>
          <Search size={16} />
          <span class={styles.searchWord}>{t.palette}</span>
          <kbd>{COMMAND_KEY} K</kbd>
        </button>
        <Live />
        <HelpMenu />
        <div class={styles.wideOnly}>
          <IconButton icon={THEME_ICONS[theme()]} label={t.theme[theme()]} onClick={switchTheme} />
          <IconButton icon={LogOut} label={t.signOut} onClick={() => void leave()} />
        </div>
      </header>
      <nav ref={rail} class={styles.rail} aria-label={t.navigation}>
        <For each={shownScreens()}>
          {(group) => (
            <Stack gap={2}>
              <Show when={group.title}>
                <p class={styles.groupTitle}>{group.title}</p>
              </Show>
              <For each={group.screens}>
                {(screen) => (
                  <A
                    href={screen.href}
                    end={screen.href === "/"}
                    class={styles.item}
                    activeClass={styles.current}
                    title={isCollapsed() ? screen.title : undefined}
                  >
                    <Dynamic component={screen.icon} size={16} />
                    <span class={styles.itemWord}>{screen.title}</span>
                  </A>
                )}
              </For>
            </Stack>
          )}
        </For>
        <div class={styles.collapse}>
          <IconButton icon={PanelLeft} label={isCollapsed() ? t.expand : t.collapse} onClick={collapse} />
        </div>
      </nav>
      <main id="content" ref={content} class={styles.content} tabindex="-1">
        <ErrorBoundary fallback={(error, reset) => <ScreenFailure error={error} retry={reset} />}>
          <Show when={denied()} fallback={props.children}>
            {(operation) => <NotAllowed operation={operation()} />}
          </Show>
        </ErrorBoundary>
      </main>
      <CommandPalette />
      <Show when={isJoining()}>
        <Suspense>
          <JoinAccount />
        </Suspense>
      </Show>
      <EndsSoon />
    </div>
  );
}

/** What is live now, with links. */
function Live() {
  const running = useRunning();
  return (
    <Show when={running() > 0}>
      <A href="/campaigns?status=running" class={styles.live} title={t.live(running())}>
        <Badge tone="live">{t.live(running())}</Badge>
      </A>
    </Show>
  );
}
