/**
 * The widget's whole look. It lives in the shadow root as a constructed stylesheet, which a page's CSP leaves alone. Its
 * own words run from left to right, whatever the page's do; those of the conversation find their direction themselves.
 */
export const STYLE = `
:host { all: initial !important; direction: ltr !important; display: block !important; position: fixed !important;
  z-index: 2147483000 !important; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.frame {
  --surface: #fff; --raised: #f2f4f6; --text: #171a1f; --muted: #5a6370; --line: #d9dee4; --ring: #1d4ed8;
  position: fixed; display: flex; gap: 12px; padding: 20px; pointer-events: none; max-width: 100vw;
  max-height: 100vh; max-height: 100dvh;
  font: 400 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text);
  -webkit-font-smoothing: antialiased; -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
}
.frame > * { pointer-events: auto; }
.frame[data-position^="bottom"] { bottom: env(safe-area-inset-bottom, 0); flex-direction: column-reverse; }
.frame[data-position^="top"] { top: env(safe-area-inset-top, 0); flex-direction: column; }
.frame[data-position$="left"] { left: 0; align-items: flex-start; }
.frame[data-position$="right"] { right: 0; align-items: flex-end; }
.frame[data-position="top"], .frame[data-position="bottom"] { left: 0; right: 0; align-items: center; }

button { font: inherit; border: 1px solid transparent; cursor: pointer; margin: 0; }
button:focus-visible, .log:focus-visible, a:focus-visible {
  outline: 2px solid #fff; outline-offset: 0; box-shadow: 0 0 0 4px #1d4ed8;
}
svg { display: block; width: 22px; height: 22px; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }
img { display: block; width: 28px; height: 28px; border-radius: 8px; object-fit: contain; }

.launcher {
  display: inline-flex; flex: none; align-items: center; gap: 10px; min-height: 52px; padding: 10px 20px 10px 16px;
  max-width: min(320px, calc(100vw - 40px)); border-radius: 26px; font-weight: 600;
  background: var(--primary); color: var(--on-primary);
  box-shadow: 0 1px 2px rgb(0 0 0 / .16), 0 8px 24px rgb(0 0 0 / .18);
}
.launcher span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.launcher:hover { filter: brightness(1.06); }

.panel {
  display: flex; flex: 0 1 620px; flex-direction: column; min-height: 0; width: min(392px, calc(100vw - 40px));
  overflow: hidden; background: var(--surface); border: 1px solid var(--line); border-radius: 20px;
  box-shadow: 0 2px 6px rgb(0 0 0 / .08), 0 24px 64px rgb(0 0 0 / .22);
}
header {
  display: flex; flex: none; align-items: center; gap: 12px; padding: 14px 10px 14px 16px;
  background: var(--primary); color: var(--on-primary);
}
h2 { flex: 1; margin: 0; font-size: 16px; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; }
.face { display: grid; flex: none; place-items: center; width: 34px; height: 34px; border-radius: 50%; font-weight: 600;
  text-transform: uppercase; border: 1.5px solid currentColor; }
.close { display: grid; flex: none; place-items: center; width: 40px; height: 40px; padding: 0; border-radius: 12px;
  background: none; color: inherit; }
.close:hover { background: color-mix(in srgb, currentColor 14%, transparent); }

.log { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; display: flex; flex-direction: column;
  gap: 10px; padding: 18px 16px; }
.line { flex: none; max-width: 86%; padding: 9px 14px; border-radius: 18px; overflow-wrap: anywhere;
  border: 1px solid transparent; }
.agent { align-self: flex-start; border-bottom-left-radius: 6px; background: var(--raised); }
.visitor { align-self: flex-end; border-bottom-right-radius: 6px; background: var(--accent); color: var(--on-accent); }
.visitor .words { white-space: pre-wrap; }
.words > * { margin: 0; }
.words > * + * { margin-top: 8px; }
ul, ol { padding-inline-start: 22px; }
li + li { margin-top: 3px; }
a { color: inherit; text-decoration: underline; text-underline-offset: 2px; border-radius: 3px; }
code { padding: 1px 5px; border-radius: 5px; font: .9em/1.4 ui-monospace, SFMono-Regular, Menlo, monospace;
  background: color-mix(in srgb, currentColor 10%, transparent); }
.sign { display: flex; align-items: center; gap: 5px; min-height: 42px; color: var(--muted); font-size: 14px; }
.sign i { width: 7px; height: 7px; border-radius: 50%; background: currentColor; opacity: .75; }
.sign span { padding-inline-start: 5px; }
.note { align-self: center; margin: 0; font-size: 13px; text-align: center; color: var(--muted); }
.status { flex: none; min-height: 20px; margin: 0; padding: 0 18px 4px; font-size: 13px; line-height: 16px;
  color: var(--muted); }
.rests .status { padding: 14px 24px; border-top: 1px solid var(--line); font-size: 14px; line-height: 1.4; text-align: center; }
.way { flex: none; align-self: center; min-height: 44px; margin: 0 24px 18px; padding: 8px 24px; border-radius: 22px;
  font-weight: 600; background: var(--accent); color: var(--on-accent); }
.way:hover, .send:hover { filter: brightness(1.06); }

form { display: flex; flex: none; flex-wrap: wrap; align-items: flex-end; gap: 6px; margin: 0 12px 12px; padding: 5px;
  background: var(--raised); border: 1px solid var(--line); border-radius: 24px; }
form:focus-within { border-color: var(--ring); box-shadow: 0 0 0 1px var(--ring); }
textarea { flex: 1; min-width: 0; height: 40px; min-height: 40px; max-height: 136px; margin: 0; padding: 8px 4px 8px 13px;
  resize: none; font: inherit; font-size: 16px; line-height: 24px; color: inherit; background: none; border: 0; outline: 0;
  border-radius: 20px; }
@supports (field-sizing: content) { textarea { height: auto; field-sizing: content; } }
textarea::placeholder { color: var(--muted); opacity: 1; }
.left { order: 1; flex: 0 0 100%; padding: 0 13px 3px; font-size: 12px; text-align: end; color: var(--muted); }
.left:empty, .voice:empty { display: none; }
.voice { display: flex; flex: none; align-items: center; min-height: 40px; }
.send { display: grid; place-items: center; flex: none; width: 40px; height: 40px; padding: 0; border-radius: 50%;
  background: var(--accent); color: var(--on-accent); }
.notice { flex: none; margin: 0; padding: 0 20px 12px; font-size: 12px; line-height: 1.4; text-align: center; color: var(--muted); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 480px), (max-height: 420px) {
  .frame[data-open] .launcher { display: none; }
  .panel { position: fixed; inset: var(--above, 0) 0 auto; width: auto; height: var(--seen, 100%); border: 0; border-radius: 0;
    padding-bottom: env(safe-area-inset-bottom, 0); }
}
@media print { .frame { display: none; } }
@media (prefers-color-scheme: dark) {
  .frame { --surface: #15181d; --raised: #23282f; --text: #f1f3f5; --muted: #a9b1bc; --line: #343b44; --ring: #93c5fd; }
}
@media (prefers-reduced-motion: no-preference) {
  .launcher { transition: filter .15s, transform .15s; }
  .launcher:active { transform: scale(.97); }
  .panel { animation: rise .22s cubic-bezier(.2, .8, .2, 1); }
  .line { animation: appear .18s ease-out; }
  .sign i { animation: breathe 1.2s infinite ease-in-out; }
  .sign i:nth-child(2) { animation-delay: .15s; }
  .sign i:nth-child(3) { animation-delay: .3s; }
  @keyframes rise { from { opacity: 0; transform: translateY(10px) scale(.985); } }
  @keyframes appear { from { opacity: 0; transform: translateY(4px); } }
  @keyframes breathe { 0%, 60%, 100% { opacity: .35; transform: none; } 30% { opacity: 1; transform: translateY(-3px); } }
}
`;
