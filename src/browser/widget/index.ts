/**
 * The script that a customer pastes: `<script src="…/widget.js" data-client-key="pk_live_…" async></script>`. It shows
 * the launcher, holds the visitor's session and gives it to the page (window.Switchboard) and to the media runtime.
 */
import { SwitchboardWidget } from "./widget.ts";

declare global {
  interface Window {
    Switchboard?: SwitchboardWidget;
  }
}

function start(): void {
  const script = document.currentScript ?? document.querySelector("script[data-client-key]");
  if (!(script instanceof HTMLScriptElement) || window.Switchboard) return;
  const { clientKey, visitorToken, voice, memory } = script.dataset;
  if (!clientKey) {
    console.warn("Switchboard: the script needs data-client-key");
    return;
  }
  const at = (path: string) => new URL(path, script.src).href;
  window.Switchboard = new SwitchboardWidget({
    base: at("api/v1/widget/"),
    clientKey,
    visitorToken,
    voiceUrl: voice === "on" ? at("widget-voice.js") : undefined,
    remembers: memory !== "off",
  });
  dispatchEvent(new CustomEvent("switchboard:ready"));
}

start();
