import type { MarkedToken, Token, Tokens, lexer as tokenize } from "marked";
import { createDeferred, createMemo, createSignal, For, type JSX, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import styles from "./markdown.module.css";

/** Schemes that links may have. Any other address is shown as text. */
const SAFE_ADDRESS = /^(https?|mailto|tel):/i;

const [lexer, setLexer] = createSignal<typeof tokenize>();
/** The parser is larger than most screens, so it loads after the first one is shown. */
void import("marked").then((marked) => setLexer(() => marked.lexer));

/**
 * Renders Markdown. It creates elements and never HTML text, so nothing has to be sanitized: HTML, images and addresses
 * with other schemes are shown as text.
 */
export function Markdown(props: { text: string }) {
  // Parses a long text only when the user pauses typing.
  const text = createDeferred(() => props.text);
  const tokens = createMemo(() => lexer()?.(text()));
  return (
    <div class={styles.markdown}>
      <Show when={tokens()} fallback={<p class={styles.plain}>{props.text}</p>}>
        {(found) => <Nodes of={found()} />}
      </Show>
    </div>
  );
}

function Nodes(props: { of: Token[] }) {
  return <For each={props.of.filter(isStandard)}>{nodeOf}</For>;
}

const STANDARD = new Set(
  "blockquote br checkbox code codespan def del em escape heading hr html image link list paragraph space strong table text".split(
    " ",
  ),
);
/** Checks whether a token is standard. The parser's types allow for extensions, which aren't used. */
const isStandard = (token: Token): token is MarkedToken => STANDARD.has(token.type);

function nodeOf(token: MarkedToken): JSX.Element {
  switch (token.type) {
    case "heading":
      // The page and its panel use the first two levels.
      return (
        <Dynamic component={HEADINGS[token.depth] ?? "h6"} data-depth={token.depth}>
          <Nodes of={token.tokens} />
        </Dynamic>
      );
    case "paragraph":
      return (
        <p>
          <Nodes of={token.tokens} />
        </p>
      );
    case "list":
      return <List of={token} />;
    case "blockquote":
      return (
        <blockquote>
          <Nodes of={token.tokens} />
        </blockquote>
      );
    case "code":
      return (
        <pre tabindex="0">
          <code>{token.text}</code>
        </pre>
      );
    case "table":
      return <TableOf of={token} />;
    case "hr":
      return <hr />;
    case "strong":
    case "em":
    case "del":
      return (
        <Dynamic component={token.type}>
          <Nodes of={token.tokens} />
        </Dynamic>
      );
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link of={token} />;
    case "checkbox":
      return <input type="checkbox" checked={token.checked} disabled aria-label={token.raw.trim()} />;
    case "text":
      return token.tokens ? <Nodes of={token.tokens} /> : token.text;
    case "escape":
      return token.text;
    case "space":
    case "def":
      return null;
    default:
      return token.raw;
  }
}

const HEADINGS: Record<number, "h3" | "h4" | "h5"> = { 1: "h3", 2: "h4", 3: "h5" };

function List(props: { of: Tokens.List }) {
  const items = () => (
    <For each={props.of.items}>
      {(item) => (
        <li>
          <Nodes of={item.tokens} />
        </li>
      )}
    </For>
  );
  return (
    <Show when={props.of.ordered} fallback={<ul>{items()}</ul>}>
      <ol start={Number(props.of.start)}>{items()}</ol>
    </Show>
  );
}

function Link(props: { of: Tokens.Link }) {
  return (
    <Show when={SAFE_ADDRESS.test(props.of.href)} fallback={props.of.raw}>
      <a href={props.of.href} target="_blank" rel="noopener noreferrer">
        <Nodes of={props.of.tokens} />
      </a>
    </Show>
  );
}

function TableOf(props: { of: Tokens.Table }) {
  return (
    <table>
      <thead>
        <tr>
          <For each={props.of.header}>
            {(cell) => (
              <th scope="col">
                <Nodes of={cell.tokens} />
              </th>
            )}
          </For>
        </tr>
      </thead>
      <tbody>
        <For each={props.of.rows}>
          {(row) => (
            <tr>
              <For each={row}>
                {(cell) => (
                  <td>
                    <Nodes of={cell.tokens} />
                  </td>
                )}
              </For>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
