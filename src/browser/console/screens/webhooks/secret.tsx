import { webhooks as t } from "../../texts/index.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Section } from "../../ui/page.tsx";
import { SecretOnce } from "../../ui/secret-once.tsx";

/** The first lines of a receiver; the guide has a whole one. */
const VERIFY = `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.SWITCHBOARD_WEBHOOK_SECRET);
// The body as it arrived, before it is parsed; throws where it is not ours.
const event = webhook.verify(body, request.headers);`;

/** A signing secret, shown once, and what to do with it. */
export function NewSecret(props: { secret: string }) {
  return (
    <>
      <SecretOnce label={t.secret} secret={props.secret} />
      <Section title={t.verify}>
        <p class="muted">{t.verifyLead}</p>
        <CodeBlock label={t.verify} code={VERIFY} />
        <Guide />
      </Section>
    </>
  );
}

/** The way to the guide for receivers. */
export function Guide() {
  return (
    <a href="/docs/guides/webhooks" rel="external">
      {t.guide}
    </a>
  );
}
