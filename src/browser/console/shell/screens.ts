import Activity from "lucide-solid/icons/activity";
import AudioLines from "lucide-solid/icons/audio-lines";
import Ban from "lucide-solid/icons/ban";
import BookOpen from "lucide-solid/icons/book-open";
import Bot from "lucide-solid/icons/bot";
import Building from "lucide-solid/icons/building";
import Cable from "lucide-solid/icons/cable";
import CircleHelp from "lucide-solid/icons/circle-question-mark";
import Code from "lucide-solid/icons/code-xml";
import Gauge from "lucide-solid/icons/gauge";
import House from "lucide-solid/icons/house";
import Key from "lucide-solid/icons/key-round";
import Megaphone from "lucide-solid/icons/megaphone";
import MessagesSquare from "lucide-solid/icons/messages-square";
import Phone from "lucide-solid/icons/phone";
import PhoneCall from "lucide-solid/icons/phone-call";
import Plug from "lucide-solid/icons/plug";
import ScrollText from "lucide-solid/icons/scroll-text";
import Settings from "lucide-solid/icons/settings-2";
import Store from "lucide-solid/icons/store";
import UserLock from "lucide-solid/icons/user-lock";
import Wrench from "lucide-solid/icons/wrench";
import { shell } from "../texts/index.ts";
import type { Icon } from "../ui/button.tsx";

/** A screen that the rail and the command palette lead to. */
export interface Screen {
  title: string;
  href: string;
  icon: Icon;
}

/** Screens that belong together. */
export interface Group {
  /** Empty for the first one, which needs no heading. */
  title: string;
  screens: Screen[];
}

const { screens: t, groups } = shell;

const PROFILE: Screen = { title: t.profile, href: "/profile", icon: UserLock };

/** What an account's users see. */
export const ACCOUNT_SCREENS: Group[] = [
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
    ],
  },
  {
    title: groups.account,
    screens: [
      { title: t.doNotCall, href: "/do-not-call", icon: Ban },
      { title: t.callSettings, href: "/call-settings", icon: Settings },
      { title: t.limits, href: "/limits", icon: Gauge },
      { title: t.auditLog, href: "/audit-log", icon: ScrollText },
      PROFILE,
    ],
  },
];

/** What the service's operators see, who work on accounts. */
export const OPERATOR_SCREENS: Group[] = [
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
