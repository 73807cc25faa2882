/** The look of the voice's controls, in the colours of the panel's own sheet. */
export const STYLE = `
.voice { display: contents; }
.talk, .mute { display: grid; place-items: center; flex: none; width: 40px; height: 40px; padding: 0; border-radius: 50%;
  background: none; color: var(--text); }
.talk:hover, .mute:hover { background: color-mix(in srgb, currentColor 9%, transparent); }
.talk[aria-pressed="true"] { --level: 0; background: var(--accent); color: var(--on-accent);
  box-shadow: 0 0 0 calc(var(--level) * 6px) color-mix(in srgb, var(--accent) 40%, transparent); }
.talk[aria-pressed="true"]:focus-visible { box-shadow: 0 0 0 4px #1d4ed8; }
.caption { order: -1; flex: 0 0 100%; display: flex; align-items: center; gap: 10px; margin: 0; padding: 6px 13px 0;
  font-size: 14px; color: var(--muted); overflow-wrap: anywhere; }
.caption::before { content: ""; flex: none; width: 8px; height: 8px; border-radius: 50%; background: #d92d20; }
.caption[data-words] { color: var(--text); }
.caption > span { max-height: 4.5em; overflow: hidden; }
@media (prefers-reduced-motion: no-preference) {
  .talk { transition: box-shadow .08s linear; }
  .caption::before { animation: breathe 1.6s ease-in-out infinite; }
  @keyframes breathe { 50% { opacity: .35; } }
}
`;
