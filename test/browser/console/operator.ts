import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished } from "vitest";
import { sharedBrowser } from "../../process/support/browser.ts";
import { serious } from "../axe.ts";
import { BLANK, reusedPage } from "../reused-page.ts";
import { type Account, PASSWORD, type Service, type Session, serviceAt, startService } from "../service.ts";
import { timeless } from "../stand-still.ts";

export { PASSWORD } from "../service.ts";

/** The folder for the screenshots of `npm run test:matrix`, to be reviewed after a run. */
const SCREENSHOTS = join(import.meta.dirname, "../../../dist/screenshots");
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };

let browser: Browser;
let service: ReturnType<typeof serviceAt>;

/** Starts a browser, and uses the service that all console tests share, or a separate one with these settings. */
export function serveConsole(vars?: Record<string, string>): void {
  let own: Service | undefined;
  beforeAll(async () => {
    const { origin, operator } = inject("service");
    [browser, own] = await Promise.all([sharedBrowser(), vars && startService(vars)]);
    service = own ?? serviceAt(origin, operator);
  });
  afterAll(() => own?.close());
}

/** A user of a new account in the console. */
export interface Operator {
  page: Page;
  account: Account;
  email: string;
  /** Opens a screen by its address within the console. */
  goTo(path: string): Promise<void>;
  /** Opens a second tab of the same browser. */
  newTab(opened?: string): Promise<Page>;
}

/** Opens the sign-in screen for a new account with an agent. Any error in the page fails the test. */
export async function visitConsole(at = service, path = "/console/"): Promise<Operator> {
  return browserOf(await at.account([at.origin]), at, path);
}

/** Opens another browser for the same account. */
async function browserOf(account: Account, at = service, path = "/console/"): Promise<Operator> {
  // If the machine sets no language, Chromium uses one that Intl doesn't support.
  const look = { viewport: WIDE, reducedMotion: "reduce", colorScheme: "light", locale: "en-US" } as const;
  const page = await reusedPage(browser, at.origin, look);
  const context = page.context();
  const wrong: string[] = [];
  context.on("weberror", (error) => wrong.push(String(error.error())));
  // The page only reports violations of the policy on its console.
  context.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) wrong.push(message.text());
  });
  onTestFinished(() => expect(wrong).toEqual([]));
  const newTab = async (opened = "/console/") => {
    const tab = await context.newPage();
    await tab.goto(at.origin + opened);
    return tab;
  };
  if (path !== BLANK) await page.goto(at.origin + path);
  const goTo = async (path: string) => {
    await page.goto(`${at.origin}/console${path}`);
  };
  return { page, account, email: account.email, goTo, newTab };
}

/** Fills in the sign-in form and submits it. */
export async function signIn({ page, account, email }: Operator, password = PASSWORD): Promise<void> {
  await page.getByLabel("Account", { exact: true }).fill(account.name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Follows a link to an address within the console, without loading the page again, and waits for its screen. */
export async function follow(page: Page, address: string): Promise<void> {
  const heading = page.getByRole("main").getByRole("heading", { level: 1 }).first();
  // Until a screen is shown there is no router, and the link would load the page again.
  await heading.waitFor();
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement("a"), { href });
    document.body.append(link);
    link.click();
    link.remove();
  }, `/console${address}`);
  // The router changes the URL once the screen, or its placeholder, has replaced the one before it.
  await page.waitForURL((url) => `${url.pathname}${url.search}` === `/console${address}`);
  await heading.waitFor();
}

/** Presses G and a letter, which must follow quickly. */
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

/** Signs in to a new account without opening a screen yet. */
export async function withSession(): Promise<Operator> {
  const operator = await visitConsole(service, BLANK);
  await resume(operator, operator.account.session);
  return operator;
}

/** Signs in to a new account and opens a screen, by default the overview. */
export async function signedIn(path = "/"): Promise<Operator> {
  const operator = await withSession();
  await operator.goTo(path);
  await operator.page.getByRole("navigation", { name: "Main" }).waitFor();
  return operator;
}

/** Signs in as a member with this role of a new account that also has an owner. */
export async function signedInAs(role: string): Promise<Operator> {
  const account = await service.account([service.origin]);
  return browserAs(account, role, "/");
}

/** Opens another browser for the account, signed out at this address or as a new member at this screen. */
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

/** Signs in as an operator of the service and opens the accounts. `account` is one of them, with the user Ada Byron. */
export async function signedInToOperate(): Promise<Operator> {
  const operator = await visitConsole(service, BLANK);
  const credentials = { account: "service-admin", email: await service.operator(), password: PASSWORD };
  await resume(operator, await service.login(credentials));
  await operator.goTo("/");
  await operator.page.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
  return operator;
}

/** Gives the tab an existing session as the console stores it. The sign-in form has its own tests. */
async function resume({ page }: Operator, { expires_in, ...session }: Session): Promise<void> {
  const begun_at = Date.now();
  const held = { ...session, way: "password", begun_at, expires_at: begun_at + expires_in * 1000 };
  await page.evaluate((value) => sessionStorage.setItem("switchboard-session", value), JSON.stringify(held));
}

const LOOKS = [WIDE, NARROW].flatMap((viewport) =>
  (["light", "dark"] as const).map((colorScheme) => ({ viewport, colorScheme })),
);

/** Returns the looks in which a screen is checked: one per screen, all with `npm run test:matrix`. */
function looksOf(name: string) {
  if (process.env.TEST_MATRIX) return LOOKS;
  const sum = [...name].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return LOOKS.slice(sum % LOOKS.length).slice(0, 1);
}

/**
 * Checks that a screen renders in light and dark, wide and on a phone: no serious finding of axe-core and no horizontal
 * overflow. `npm run test:matrix` also saves a screenshot of each.
 */
export async function expectFit({ page }: Operator, name: string): Promise<void> {
  for (const { viewport, colorScheme } of looksOf(name)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    // Sticky elements are at their original position when the page is scrolled to the top.
    await page.evaluate(() => scrollTo(0, 0));
    const path = join(SCREENSHOTS, `${name}-${viewport.width}-${colorScheme}.png`);
    if (process.env.TEST_MATRIX) await page.screenshot({ path, fullPage: true });
    const where = `${name}, ${viewport.width} px, ${colorScheme}`;
    // Waits for color transitions to end before judging contrast.
    await expect.poll(() => serious(page), { message: where }).toEqual([]);
    const overhang = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(overhang), `${where}: px out of the window`).toBe(0);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
}
