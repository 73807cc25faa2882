import { Dynamic } from "solid-js/web";
import {
  Bell,
  Bot,
  Calendar,
  ConciergeBell,
  Funnel,
  HeartPulse,
  House,
  type Icon,
  Moon,
  Package,
  Phone,
  Receipt,
  RotateCcw,
  Star,
  Truck,
  Users,
  Utensils,
  Wrench,
} from "../../ui/icons.tsx";

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

export function TemplateIcon(props: { name: string }) {
  return <Dynamic component={ICONS[props.name] ?? Bot} size={20} />;
}
