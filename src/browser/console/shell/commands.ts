import { mayOpen } from "../api/addresses.ts";
import { isOperator, session } from "../session/session.ts";
import { shell as t } from "../texts/index.ts";
import { switchTheme, theme } from "../ui/theme.ts";
import { mayJoin, setJoining } from "./join-state.ts";
import { goToAccount, leave } from "./leave.ts";
import { showShortcuts } from "./palette-state.ts";
import { shownScreens } from "./screens.ts";

export type Command = {
  id: string;
  title: string;
  /** Its kind: a screen, an action, an agent … */
  kind: string;
  /** Other text by which it is found. */
  also?: string;
} & ({ href: string; run?: never } | { href?: never; run: () => void });

/** The links for creating resources. */
const ACCOUNT_ACTIONS = [
  { title: t.actions.campaign, href: "/campaigns/new" },
  { title: t.actions.agent, href: "/agents/new" },
  { title: t.actions.call, href: "/calls/new" },
  { title: t.actions.tool, href: "/tools/new" },
  { title: t.actions.playbook, href: "/playbooks/new" },
  { title: t.actions.faq, href: "/faqs/new" },
  { title: t.actions.number, href: "/numbers/new" },
  { title: t.actions.carrier, href: "/carriers/new" },
  { title: t.actions.apiKey, href: "/api-keys/new" },
  { title: t.actions.widgetKey, href: "/widget-keys/new" },
  { title: t.actions.webhook, href: "/webhooks/new" },
  { title: t.actions.member, href: "/members/invite" },
];
const OPERATOR_ACTIONS = [{ title: t.actions.account, href: "/accounts/new" }];

/** Returns all screens and actions, without resources. */
export function commands(): Command[] {
  const screens = shownScreens().flatMap((group) => group.screens);
  const actions = (isOperator() ? OPERATOR_ACTIONS : ACCOUNT_ACTIONS).filter(({ href }) => mayOpen(href));
  const { account, accounts = [] } = session() ?? {};
  const others = accounts.filter(({ name }) => name !== account);
  const kind = t.kinds.action;
  return [
    ...screens.map(({ title, href }) => ({ id: href, title, kind: t.kinds.screen, href })),
    ...actions.map(({ title, href }) => ({ id: href, title, kind, href })),
    ...others.map(({ name, display_name }) => {
      const title = t.switchTo(display_name);
      return { id: `account ${name}`, title, kind, also: name, run: () => void goToAccount(name) };
    }),
    ...(mayJoin() ? [{ id: "join", title: t.joinAccount, kind, run: () => void setJoining(true) }] : []),
    { id: "theme", title: t.theme[theme()], kind, run: switchTheme },
    { id: "shortcuts", title: t.shortcuts, kind, run: () => showShortcuts(true) },
    { id: "guides", title: t.docs, kind, run: () => void open("/docs/guides", "_blank") },
    { id: "reference", title: t.reference, kind, run: () => void open("/docs", "_blank") },
    { id: "sign-out", title: t.signOut, kind, run: () => void leave() },
  ];
}
