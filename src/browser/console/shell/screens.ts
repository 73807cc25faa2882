import { mayOpen } from "../api/addresses.ts";
import { isOperator } from "../session/session.ts";
import { shell } from "../texts/index.ts";
import {
  Activity,
  AudioLines,
  Ban,
  BookOpen,
  Bot,
  Building,
  Cable,
  ChartColumn,
  CircleQuestionMark as CircleHelp,
  CodeXml as Code,
  FileUp,
  Gauge,
  House,
  type Icon,
  KeyRound as Key,
  LogIn,
  Megaphone,
  MessagesSquare,
  Phone,
  PhoneCall,
  Plug,
  Receipt,
  ScrollText,
  Settings2 as Settings,
  ShieldCheck,
  Store,
  UserLock,
  Users,
  Wallet,
  Webhook,
  Wrench,
} from "../ui/icons.tsx";

export interface Screen {
  title: string;
  href: string;
  icon: Icon;
}

export interface Group {
  /** Empty for the first group, which has no heading. */
  title: string;
  screens: Screen[];
}

const { screens: t, groups } = shell;

const PROFILE: Screen = { title: t.profile, href: "/profile", icon: UserLock };

const ACCOUNT_SCREENS: Group[] = [
  {
    title: "",
    screens: [
      { title: t.overview, href: "/", icon: House },
      { title: t.campaigns, href: "/campaigns", icon: Megaphone },
      { title: t.conversations, href: "/conversations", icon: MessagesSquare },
      { title: t.calls, href: "/calls", icon: PhoneCall },
      { title: t.recordings, href: "/recordings", icon: AudioLines },
    ],
  },
  {
    title: groups.build,
    screens: [
      { title: t.agents, href: "/agents", icon: Bot },
      { title: t.marketplace, href: "/marketplace", icon: Store },
      { title: t.tools, href: "/tools", icon: Wrench },
      { title: t.playbooks, href: "/playbooks", icon: BookOpen },
      { title: t.faqs, href: "/faqs", icon: CircleHelp },
      { title: t.knowledge, href: "/knowledge", icon: FileUp },
    ],
  },
  {
    title: groups.connect,
    screens: [
      { title: t.numbers, href: "/numbers", icon: Phone },
      { title: t.carriers, href: "/carriers", icon: Cable },
      { title: t.integrations, href: "/integrations", icon: Plug },
      { title: t.widgetKeys, href: "/widget-keys", icon: Code },
      { title: t.apiKeys, href: "/api-keys", icon: Key },
      { title: t.webhooks, href: "/webhooks", icon: Webhook },
    ],
  },
  {
    title: groups.account,
    screens: [
      { title: t.account, href: "/account", icon: Building },
      { title: t.members, href: "/members", icon: Users },
      { title: t.doNotCall, href: "/do-not-call", icon: Ban },
      { title: t.callSettings, href: "/call-settings", icon: Settings },
      { title: t.privacy, href: "/privacy", icon: ShieldCheck },
      { title: t.usage, href: "/usage", icon: ChartColumn },
      { title: t.prices, href: "/prices", icon: Receipt },
      { title: t.budgets, href: "/budgets", icon: Wallet },
      { title: t.limits, href: "/limits", icon: Gauge },
      { title: t.auditLog, href: "/audit-log", icon: ScrollText },
      { title: t.signInPolicy, href: "/sign-in-policy", icon: LogIn },
      PROFILE,
    ],
  },
];

const OPERATOR_SCREENS: Group[] = [
  {
    title: "",
    screens: [
      { title: t.accounts, href: "/accounts", icon: Building },
      { title: t.operatorAudit, href: "/operator-audit-log", icon: ScrollText },
      { title: t.service, href: "/service", icon: Activity },
      PROFILE,
    ],
  },
];

export function shownScreens(): Group[] {
  const groups = isOperator() ? OPERATOR_SCREENS : ACCOUNT_SCREENS;
  return groups.map(({ title, screens }) => ({ title, screens: screens.filter(({ href }) => mayOpen(href)) }));
}
