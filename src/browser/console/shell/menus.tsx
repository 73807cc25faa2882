import { useNavigate } from "@solidjs/router";
import { createSignal } from "solid-js";
import { session } from "../session/session.ts";
import { shell as t } from "../texts/index.ts";
import { ChevronDown, CircleQuestionMark as CircleHelp } from "../ui/icons.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { ownRole } from "../ui/not-allowed.tsx";
import { switchTheme, theme } from "../ui/theme.ts";
import { mayJoin, setJoining } from "./join-state.ts";
import styles from "./layout.module.css";
import { goToAccount, leave } from "./leave.ts";
import { showShortcuts } from "./palette-state.ts";

const narrow = matchMedia("(max-width: 860px)");
const [isNarrow, setNarrow] = createSignal(narrow.matches);
narrow.addEventListener("change", ({ matches }) => setNarrow(matches));

/** Entries that don't fit into the header of a phone. */
const crowdedOut = (): MenuItem[] => [
  { label: t.theme[theme()], run: switchTheme },
  { label: t.signOut, run: () => void leave() },
];

/** Returns who is signed in, to which account, with which role. */
const whoIsSignedIn = () => {
  const { user, account = "" } = session() ?? {};
  const role = ownRole() === "" ? account : t.roleIn(ownRole(), account);
  return [t.signedInAs(user?.name || user?.email || ""), user?.name && user.email, role].filter(Boolean).join("\n");
};

export function AccountMenu() {
  const navigate = useNavigate();
  const name = () =>
    session()?.accounts.find(({ name }) => name === session()?.account)?.display_name ?? session()?.account;
  const accounts = (): MenuItem[] => {
    const { accounts = [], account } = session() ?? {};
    const switches = accounts.map(({ name, display_name }) => ({
      label: display_name,
      more: name,
      isCurrent: name === account,
      run: () => void goToAccount(name),
    }));
    const join = { label: t.joinAccount, run: () => setJoining(true) };
    return [accounts.length > 1 ? switches : [], mayJoin() ? join : []].flat();
  };
  return (
    <Menu
      label={`${t.accountMenu}: ${name()}`}
      class={styles.account}
      trigger={
        <>
          <span class="cut">{name()}</span>
          <ChevronDown size={14} />
        </>
      }
      groups={[
        { title: t.accounts, items: accounts() },
        {
          title: whoIsSignedIn(),
          items: [{ label: t.screens.profile, run: () => navigate("/profile") }, isNarrow() ? crowdedOut() : []].flat(),
        },
      ]}
    />
  );
}

export function HelpMenu() {
  return (
    <Menu
      label={t.help}
      class={styles.help}
      trigger={<CircleHelp size={16} />}
      groups={[
        {
          items: [
            { label: t.docs, href: "/docs/guides" },
            { label: t.reference, href: "/docs" },
            { label: t.shortcuts, more: "?", run: () => showShortcuts(true) },
          ],
        },
      ]}
    />
  );
}
