/** The widget's whole look. It lives in the shadow root as a constructed stylesheet, which a page's CSP leaves alone. */
export const STYLE = `
:host { all: initial !important; position: fixed !important; z-index: 2147483000 !important; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.frame {
  --surface: #fff; --raised: #f2f4f6; --text: #171a1f; --muted: #5a6370; --line: #d9dee4;
  position: fixed; display: flex; gap: 12px; padding: 20px; pointer-events: none; max-width: 100vw;
  font: 400 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text);
  -webkit-font-smoothing: antialiased;
}
.frame > * { pointer-events: auto; }
.frame[data-position^="bottom"] { bottom: env(safe-area-inset-bottom, 0); flex-direction: column-reverse; }
.frame[data-position^="top"] { top: env(safe-area-inset-top, 0); flex-direction: column; }
.frame[data-position$="left"] { left: 0; align-items: flex-start; }
.frame[data-position$="right"] { right: 0; align-items: flex-end; }
.frame[data-position="top"], .frame[data-position="bottom"] { left: 0; right: 0; align-items: center; }

button { font: inherit; border: 1px solid transparent; cursor: pointer; margin: 0; }
button:focus-visible, textarea:focus-visible, .log:focus-visible {
  outline: 2px solid #fff; outline-offset: 0; box-shadow: 0 0 0 4px #1d4ed8;
}
svg { display: block; width: 22px; height: 22px; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }
img { display: block; width: 28px; height: 28px; border-radius: 8px; object-fit: contain; }

.launcher {
  display: inline-flex; align-items: center; gap: 10px; min-height: 52px; padding: 10px 20px 10px 16px;
  max-width: min(320px, calc(100vw - 40px)); border-radius: 26px; font-weight: 600;
  background: var(--primary); color: var(--on-primary);
  box-shadow: 0 1px 2px rgb(0 0 0 / .16), 0 8px 24px rgb(0 0 0 / .18);
}
.launcher span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.launcher:hover { filter: brightness(1.06); }

.panel {
  display: flex; flex-direction: column; width: min(384px, calc(100vw - 40px)); overflow: hidden;
  height: min(600px, calc(100vh - 124px)); height: min(600px, calc(100dvh - 124px));
  background: var(--surface); border: 1px solid var(--line); border-radius: 18px;
  box-shadow: 0 2px 6px rgb(0 0 0 / .08), 0 24px 64px rgb(0 0 0 / .22);
}
header {
  display: flex; align-items: center; gap: 12px; padding: 14px 10px 14px 18px;
  background: var(--primary); color: var(--on-primary);
}
h2 { flex: 1; margin: 0; font-size: 16px; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; }
.close { display: grid; place-items: center; width: 40px; height: 40px; padding: 0; border-radius: 12px;
  background: none; color: inherit; }
.close:hover { background: color-mix(in srgb, currentColor 14%, transparent); }

.log { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; display: flex; flex-direction: column;
  gap: 8px; padding: 18px; }
.line { max-width: 85%; padding: 10px 14px; border-radius: 16px; white-space: pre-wrap; overflow-wrap: anywhere;
  border: 1px solid transparent; }
.agent { align-self: flex-start; border-bottom-left-radius: 5px; background: var(--raised); }
.visitor { align-self: flex-end; border-bottom-right-radius: 5px; background: var(--accent); color: var(--on-accent); }
.status { min-height: 21px; margin: 0; padding: 0 18px 6px; font-size: 13px; color: var(--muted); }

form { display: flex; align-items: flex-end; gap: 8px; padding: 10px 12px; border-top: 1px solid var(--line); }
textarea { flex: 1; min-width: 0; height: 44px; max-height: 120px; padding: 10px 14px; resize: none; font: inherit; font-size: 16px;
  color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 14px; field-sizing: content; }
textarea::placeholder { color: var(--muted); opacity: 1; }
.send { display: grid; place-items: center; flex: none; width: 44px; height: 44px; padding: 0; border-radius: 14px;
  background: var(--accent); color: var(--on-accent); }
.notice { margin: 0; padding: 10px 18px 12px; border-top: 1px solid var(--line); font-size: 12px; color: var(--muted); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 480px), (max-height: 420px) {
  .panel { position: fixed; inset: 0; width: auto; height: auto; border: 0; border-radius: 0;
    padding-bottom: env(safe-area-inset-bottom, 0); }
}
@media print { .frame { display: none; } }
@media (prefers-color-scheme: dark) {
  .frame { --surface: #15181d; --raised: #23282f; --text: #f1f3f5; --muted: #a9b1bc; --line: #343b44; }
}
@media (prefers-reduced-motion: no-preference) {
  .launcher { transition: filter .15s, transform .15s; }
  .launcher:active { transform: scale(.97); }
  .panel { animation: rise .22s cubic-bezier(.2, .8, .2, 1); }
  .line { animation: appear .18s ease-out; }
  @keyframes rise { from { opacity: 0; transform: translateY(10px) scale(.985); } }
  @keyframes appear { from { opacity: 0; transform: translateY(4px); } }
}
`;
