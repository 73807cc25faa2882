import { apiKeys as t } from "../../texts/index.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Section } from "../../ui/page.tsx";

const VARIABLE = "SWITCHBOARD_API_KEY";

/** Example code and commands that use a key. Neither contains the key itself. */
export function FirstLines() {
  const { origin } = location;
  const code = `import { Switchboard } from "@switchboard/sdk";

const sb = new Switchboard({
  baseUrl: "${origin}",
  apiKey: process.env.${VARIABLE},
});
for await (const agent of sb.agents.list())
  console.log(agent.name);`;
  // Only the guides explain how to install them.
  const commands = `switchboard login --url ${origin}
switchboard agents pull`;
  return (
    <>
      <Section title={t.inCode}>
        <p>
          {t.keyInVariable(VARIABLE)}{" "}
          <a href="/docs/guides/sdk" rel="external">
            {t.guide}
          </a>
        </p>
        <CodeBlock label={t.inCode} code={code} />
      </Section>
      <Section title={t.inTerminal}>
        <p>
          {t.asksForKey}{" "}
          <a href="/docs/guides/cli" rel="external">
            {t.guide}
          </a>
        </p>
        <CodeBlock label={t.inTerminal} code={commands} />
      </Section>
    </>
  );
}
