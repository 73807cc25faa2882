import { shell } from "../../texts/index.ts";
import { Page } from "../../ui/page.tsx";

/** What goes on now, and what needs attention. */
export default function Overview() {
  return <Page title={shell.screens.overview}>…</Page>;
}
