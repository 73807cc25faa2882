/** `docs`: searches or opens the service's guides. */
import type { Command } from "commander";
import { Client } from "../api/client.ts";
import { type Act, examples } from "../kernel/act.ts";
import type { Session } from "../kernel/context.ts";
import { EXIT, Failure } from "../kernel/failure.ts";
import { type Page, pagesOf, search, textOfPage } from "../kernel/guides.ts";
import { openPage } from "../kernel/pages.ts";

export function addDocs(program: Command, act: Act): void {
  program
    .command("docs [words...]")
    .description("open the guides, or search them for words")
    .option("--open", "open the best match")
    .addHelpText(
      "after",
      examples("switchboard docs", "switchboard docs retry idempotency", "switchboard docs campaign --open"),
    )
    .action(act(docs));
}

async function docs(session: Session, words: string[], { open = false }: { open?: boolean }): Promise<void> {
  const { terminal, url, world } = session;
  const show = async (address: string) => {
    terminal.print(address);
    if (world.stdout.isTTY && !terminal.json) await openPage(address, world.platform, world.env);
  };
  if (words.length === 0) {
    terminal.document({ url: `${url}/docs/guides` });
    return show(`${url}/docs/guides`);
  }
  // The guides are public, so no key is sent for them.
  const client = new Client({ url, apiKey: null, fetch: world.fetch, sleep: world.sleep });
  const pages: Page[] = [];
  for (const { path, title } of pagesOf(await client.text("/docs/guides"))) {
    pages.push({ path, title, text: textOfPage(await client.text(path)) });
  }
  const found = search(pages, words).slice(0, 5);
  terminal.document({ found: found.map(({ path, title, excerpt }) => ({ url: url + path, title, excerpt })) });
  if (found.length === 0) throw new Failure(EXIT.failed, "not_found", `no guide contains “${words.join(" ")}”`);
  if (open && found[0]) return show(url + found[0].path);
  for (const { path, title, excerpt } of found) {
    terminal.print(`${terminal.style("bold", title)}  ${terminal.style("cyan", url + path)}\n  ${excerpt}`);
  }
}
