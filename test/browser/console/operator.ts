import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished } from "vitest";
import { sharedBrowser } from "../../process/support/browser.ts";
import { WAIT_TIMEOUT_MS } from "../../support/wait-timeout.ts";
import { serious } from "../axe.ts";
import { type Account, PASSWORD, type Service, type Session, serviceAt, startService } from "../service.ts";
import { timeless } from "../stand-still.ts";

export { PASSWORD } from "../service.ts";

/** The folder for pictures of the screens, to be looked at after a run. */
const SCREENSHOTS = join(import.meta.dirname, "../../../dist/screenshots");
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };

/** A page of the service without a script. */
const BLANK = "/healthz";

let browser: Browser;
let service: ReturnType<typeof serviceAt>;

/** Begins with a browser and the service that all tests of the console share, or one of its own with these settings. */
export function serveConsole(vars?: Record<string, string>): void {
  let own: Service | undefined;
  beforeAll(async () => {
    const { origin, operator } = inject("service");
    [browser, own] = await Promise.all([sharedBrowser(), vars && startService(vars)]);
    service = own ?? serviceAt(origin, operator);
  });
  afterAll(() => own?.close());
}

/** Somebody of a new account at the console. */
export interface Operator {
  page: Page;
  account: Account;
  email: string;
  /** Goes to a screen by its address within the console. */
  goTo(path: string): Promise<void>;
  /** A second tab of the same browser. */
  newTab(opened?: string): Promise<Page>;
}

/** Opens the sign-in screen for a new account with an agent; whatever goes wrong in the page fails the test. */
export async function visitConsole(at = service, path = "/console/"): Promise<Operator> {
  return browserOf(await at.account([at.origin]), at, path);
}

/** A browser of somebody else, at a page for the account of this one. */
async function browserOf(account: Account, at = service, path = "/console/"): Promise<Operator> {
  // If the machine names no language, Chromium uses one that Intl does not know.
  const look = { viewport: WIDE, reducedMotion: "reduce", colorScheme: "light", locale: "en-US" } as const;
  const context = await browser.newContext(look);
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  onTestFinished(() => context.close());
  const wrong: string[] = [];
  context.on("page", (opened) => {
    opened.on("pageerror", (error) => wrong.push(String(error)));
    // Violations of the policy are reported only there.
    opened.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) wrong.push(message.text());
    });
  });
  onTestFinished(() => expect(wrong).toEqual([]));
  const newTab = async (opened = "/console/") => {
    const tab = await context.newPage();
    await tab.goto(at.origin + opened);
    return tab;
  };
  const page = await newTab(path);
  const goTo = async (path: string) => {
    await page.goto(`${at.origin}/console${path}`);
  };
  return { page, account, email: account.email, goTo, newTab };
}

/** Fills in the sign-in form and submits it. */
export async function signIn({ page, account, email }: Operator, password = PASSWORD): Promise<void> {
  await page.getByLabel("Account").fill(account.name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Presses G and a letter, which counts only soon after it. */
export const go = ({ page }: Pick<Operator, "page">, letter: string) =>
  timeless(page, async () => {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
  });

/** Chooses an option of a searchable select by typing. */
export async function search(field: Locator, typed: string, option: string | RegExp): Promise<void> {
  const input = field.and(field.page().locator("input"));
  await input.click();
  await input.fill(typed);
  await field.page().getByRole("option", { name: option }).first().click();
}

/** Somebody of a new account who signed in a moment ago, at a screen: the overview, if no other is named. */
export async function signedIn(path = "/"): Promise<Operator> {
  const operator = await visitConsole(service, BLANK);
  await resume(operator, operator.account.session);
  await operator.goTo(path);
  await operator.page.getByRole("navigation", { name: "Main" }).waitFor();
  return operator;
}

/** A member of a new account who has this role, signed in a moment ago; the account has an owner too. */
export async function signedInAs(role: string): Promise<Operator> {
  const account = await service.account([service.origin]);
  return browserAs(account, role, "/");
}

/** Another person's browser at the account: at a page for nobody in particular, or as a new member at a screen. */
export function visitAs({ account }: Operator, path: string, role?: string): Promise<Operator> {
  return role === undefined ? browserOf(account, service, path) : browserAs(account, role, path);
}

async function browserAs(account: Account, role: string, path: string): Promise<Operator> {
  const operator = await browserOf(account, service, BLANK);
  await resume(operator, await account.member(role));
  await operator.goTo(path);
  await operator.page.getByRole("navigation", { name: "Main" }).waitFor();
  return operator;
}

/** An operator of the service, signed in, at the accounts; `account` is one of them, with the user Ada Byron. */
export async function signedInToOperate(): Promise<Operator> {
  const operator = await visitConsole(service, BLANK);
  const credentials = { account: "service-admin", email: await service.operator(), password: PASSWORD };
  await resume(operator, await service.login(credentials));
  await operator.goTo("/");
  await operator.page.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
  return operator;
}

/** Gives the tab a session that began elsewhere, as the console keeps it; the form has tests of its own. */
async function resume({ page }: Operator, { expires_in, ...session }: Session): Promise<void> {
  const begun_at = Date.now();
  const held = { ...session, way: "password", begun_at, expires_at: begun_at + expires_in * 1000 };
  await page.evaluate((value) => sessionStorage.setItem("switchboard-session", value), JSON.stringify(held));
}

const LOOKS = [WIDE, NARROW].flatMap((viewport) =>
  (["light", "dark"] as const).map((colorScheme) => ({ viewport, colorScheme })),
);

/** The looks a screen is checked in: one of them, another one for each screen; all in `npm run test:matrix`. */
function looksOf(name: string) {
  if (process.env.TEST_MATRIX) return LOOKS;
  const sum = [...name].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return LOOKS.slice(sum % LOOKS.length).slice(0, 1);
}

/**
 * Checks that a screen can be shown, light and dark, wide and on a phone: no serious finding of axe-core, nothing that
 * overflows sideways. Leaves a picture of each.
 */
export async function expectFit({ page }: Operator, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  for (const { viewport, colorScheme } of looksOf(name)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    // What sticks to the window stands where it does at the top of the page.
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${viewport.width}-${colorScheme}.png`), fullPage: true });
    const where = `${name}, ${viewport.width} px, ${colorScheme}`;
    // Colors in transition are not judged, because nobody reads them yet.
    await expect.poll(() => serious(page), { message: where }).toEqual([]);
    const overhang = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(overhang), `${where}: px out of the window`).toBe(0);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
}
