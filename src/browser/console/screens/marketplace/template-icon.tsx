import Bell from "lucide-solid/icons/bell";
import Bot from "lucide-solid/icons/bot";
import Calendar from "lucide-solid/icons/calendar";
import ConciergeBell from "lucide-solid/icons/concierge-bell";
import Funnel from "lucide-solid/icons/funnel";
import HeartPulse from "lucide-solid/icons/heart-pulse";
import House from "lucide-solid/icons/house";
import Moon from "lucide-solid/icons/moon";
import Package from "lucide-solid/icons/package";
import Phone from "lucide-solid/icons/phone";
import Receipt from "lucide-solid/icons/receipt";
import RotateCcw from "lucide-solid/icons/rotate-ccw";
import Star from "lucide-solid/icons/star";
import Truck from "lucide-solid/icons/truck";
import Users from "lucide-solid/icons/users";
import Utensils from "lucide-solid/icons/utensils";
import Wrench from "lucide-solid/icons/wrench";
import { Dynamic } from "solid-js/web";
import type { Icon } from "../../ui/button.tsx";

const ICONS: Record<string, Icon> = {
  bell: Bell,
  calendar: Calendar,
  "concierge-bell": ConciergeBell,
  filter: Funnel,
  "heart-pulse": HeartPulse,
  home: House,
  moon: Moon,
  package: Package,
  phone: Phone,
  receipt: Receipt,
  "rotate-ccw": RotateCcw,
  star: Star,
  truck: Truck,
  users: Users,
  utensils: Utensils,
  wrench: Wrench,
};

/** The picture that stands for a template, by the name it has for it. */
export function TemplateIcon(props: { name: string }) {
  return <Dynamic component={ICONS[props.name] ?? Bot} size={20} aria-hidden="true" />;
}
