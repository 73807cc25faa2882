import { join } from "node:path";
import { DEPLOYMENT_FILE, DIST, ROOT, WRANGLER_CONFIG } from "../paths.ts";
import { API, Cloudflare, CloudflareError } from "./cloudflare.ts";
import { explain } from "./explain.ts";
import { KeptSecrets } from "./kept-secrets.ts";
import { accountOf } from "./look.ts";
import { readOwnSettings, withOwnSettings } from "./own-settings.ts";
import { PRODUCTION, type Target, targetOf } from "./target.ts";
import { credentials } from "./wrangler.ts";

/** A deployment, and how this machine reaches it. */
export interface Deployment {
  target: Target;
  cloudflare: Cloudflare;
  accountId: string;
  secrets: KeptSecrets;
  /** The path of the configuration written for wrangler. */
  configuration: string;
}

/**
 * Opens the deployment that wrangler.toml, its own settings, the sign-in and the environment define. @throws Error with
 * a sentence
 */
export async function openDeployment(environment: string | undefined, env: NodeJS.ProcessEnv): Promise<Deployment> {
  // wrangler's own parser, so that both read the file in the same way.
  process.env.WRANGLER_LOG ??= "error";
  const { experimental_readRawConfig } = await import("wrangler");
  const read = (config: string) => experimental_readRawConfig({ config }).rawConfig;
  const settings = env.DEPLOYMENT_FILE || DEPLOYMENT_FILE;
  const rawConfig = withOwnSettings(read(WRANGLER_CONFIG), await readOwnSettings(settings, read), settings);
  const target = targetOf(rawConfig, environment ?? PRODUCTION, ROOT);
  const headers = await credentials(env);
  const cloudflare = new Cloudflare({ fetch, base: env.CLOUDFLARE_API_BASE_URL || API, headers });
  const accountId = await advised("", () => accountOf(cloudflare, env.CLOUDFLARE_ACCOUNT_ID || rawConfig.account_id));
  const file = join(env.SECRETS_DIR || join(ROOT, ".secrets"), `${target.environment}.env`);
  return {
    target,
    cloudflare,
    accountId,
    secrets: new KeptSecrets(file),
    configuration: join(DIST, "deploy", `${target.environment}.json`),
  };
}

/** Replaces a Cloudflare error by advice, if there is any. */
export async function advised<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const advice = error instanceof CloudflareError ? explain(error.code, accountId) : null;
    throw advice === null ? error : new Error(advice);
  }
}
