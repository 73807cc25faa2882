import { createEffect, createMemo, onCleanup } from "solid-js";
import { render } from "../../../../../kernel/rendering/render.ts";
import { Panel, SIGN_IN_FIRST } from "../../../../widget/panel.ts";
import type { Body } from "../../../api/client.ts";
import { agents } from "../../../texts/index.ts";
import { isColor } from "./color.ts";
import type { Look } from "./look-form.tsx";
import styles from "./widget.module.css";

/** The preview isn't interactive. */
const HANDLERS = { opened: () => {}, closed: () => {}, submitted: () => {} };
/** Styles for the preview: the preview is the page, and changes appear without animations. */
const IN_PICTURE = `
  .frame { max-width: 100%; max-height: 100%; }
  .panel { max-width: calc(100% - 40px); }
  @media (max-width: 480px) { .panel { max-width: none; } }
  * { animation: none !important; transition: none !important; }
`;
const inPicture = new CSSStyleSheet();
inPicture.replaceSync(IN_PICTURE);

/** The real widget as a visitor sees it, drawn by its own script with its own style. */
export function Preview(props: {
  look: Look;
  agent: Body<"Agent">;
  /** Whether visitors whom the page hasn't identified are asked to sign in. */
  refusesGuests: boolean;
  isOpen: boolean;
  isDark: boolean;
}) {
  // An incomplete color isn't shown; the previous one stays.
  const primary = createMemo<string>((before) => colorOr(props.look.primary_color, before), "#000000");
  const accent = createMemo<string>((before) => colorOr(props.look.accent_color, before), "#000000");
  const config = () => ({
    agent: {
      id: props.agent.id,
      name: props.agent.name,
      greeting_message: greetingOf(props.agent),
      language: props.agent.language,
    },
    settings: Object.assign({}, props.look, {
      primary_color: primary(),
      accent_color: accent(),
      logo_url: URL.canParse(props.look.logo_url) ? props.look.logo_url : "",
    }),
  });
  const draw = (container: HTMLElement) => {
    createEffect(() => {
      const panel = new Panel(config(), HANDLERS, () => container);
      const root = container.lastElementChild?.shadowRoot;
      if (root) {
        showAsIfDark(root.adoptedStyleSheets, props.isDark);
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, inPicture];
      }
      if (props.refusesGuests) panel.rest(SIGN_IN_FIRST);
      if (props.isOpen) panel.open(false);
      onCleanup(() => panel.remove());
    });
  };
  return (
    <div class={styles.page} data-page={props.isDark ? "dark" : "light"} role="img" aria-label={agents.widget.preview}>
      <div class={styles.lines}>
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
      <div class={styles.container} inert ref={draw} />
    </div>
  );
}

/** Applies or disables the rules for a dark color scheme, independently of the console's own. */
function showAsIfDark(sheets: readonly CSSStyleSheet[], isDark: boolean): void {
  for (const rule of sheets.flatMap((sheet) => [...sheet.cssRules])) {
    if (!(rule instanceof CSSMediaRule) || !rule.conditionText.includes("prefers-color-scheme")) continue;
    rule.media.mediaText = isDark ? "all" : "not all";
  }
}

const colorOr = (color: string, before: string): string => (isColor(color) ? color : before);

/** Returns the greeting for an anonymous visitor. */
function greetingOf({ name, greeting_message }: Body<"Agent">): string {
  return render(greeting_message, new Map([["agent_name", name]])).text;
}
