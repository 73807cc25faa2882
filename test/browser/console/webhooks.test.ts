import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { expectFit, serveConsole, signedIn, signedInAs } from "./operator.ts";

/** Address of a receiver on this machine. `TOOL_HOSTS` allows the service to call it. */
const RECEIVER_PORT = 18_471;
const RECEIVER = `http://127.0.0.1:${RECEIVER_PORT}/hook`;

serveConsole({ TOOL_HOSTS: `127.0.0.1:${RECEIVER_PORT}`, SANDBOX_RING_MS: "1", SANDBOX_TALK_MS: "1" });

interface Received {
  body: string;
  headers: Record<string, string>;
}

/** Starts a receiver whose response the test can set. */
async function receiver() {
  const received: Received[] = [];
  let answer = { status: 200, text: "thanks" };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers as Record<string, string> });
    response.writeHead(answer.status).end(answer.text);
  });
  await new Promise<void>((ready) => server.listen(RECEIVER_PORT, "127.0.0.1", ready));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  expect(port).toBe(RECEIVER_PORT);
  return {
    received,
    answers: (status: number, text: string) => {
      answer = { status, text };
    },
  };
}

describe("webhooks", () => {
  it("a webhook is created with a secret that is shown once, tested, and lists its deliveries", async () => {
    const { received, answers } = await receiver();
    const operator = await signedIn("/webhooks");
    const { page, account } = operator;
    await page.getByText("No webhooks yet").waitFor();
    await expectFit(operator, "webhooks-empty");
    await page.getByRole("link", { name: "New webhook" }).first().click();
    await page.getByLabel("Endpoint URL").fill("https://10.0.0.1/hook");
    await page.getByLabel("Description").fill("CRM");
    await page.getByLabel("opt_out.added").check();
    await page.getByLabel("All call events").check();
    expect(await page.getByLabel("call.ended").isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Create webhook" }).click();
    await expect.poll(() => page.getByLabel("Endpoint URL").getAttribute("aria-invalid")).toBe("true");
    await expectFit(operator, "webhook-refused");
    await page.getByLabel("Endpoint URL").fill(RECEIVER);
    await page.getByRole("button", { name: "Create webhook" }).click();
    const shown = page.getByText(/^whsec_\S+$/);
    const secret = (await shown.textContent()) ?? "";
    await expectFit(operator, "webhook-new");

    await page.getByRole("table").getByRole("link", { name: RECEIVER }).click();
    await shown.waitFor({ state: "detached" });
    const panel = page.getByRole("complementary", { name: RECEIVER });
    await panel.getByRole("button", { name: "Send test event" }).click();
    const tested = page.getByRole("dialog", { name: "Test event" });
    await tested.getByText("thanks").waitFor();
    await tested.getByLabel("Close").click();
    const [first] = received;
    expect(new Webhook(secret).verify(first?.body ?? "", first?.headers ?? {})).toMatchObject({ type: "webhook.test" });

    answers(500, "out of order");
    await account.server("POST", "/api/v1/do-not-call", { numbers: ["+12025550143"] });
    const deliveries = panel.getByRole("list", { name: "Deliveries" });
    const added = deliveries.getByRole("listitem").filter({ hasText: "opt_out.added" }).first();
    await added.getByText(/Next attempt|Being sent/).waitFor();
    await added.locator("summary").click();
    await added.getByText("out of order").first().waitFor();
    await expectFit(operator, "webhook-deliveries");
    answers(200, "thanks");
    await added.getByRole("button", { name: "Resend" }).click();
    await added.getByText(/Delivered on attempt/).waitFor();
    const ids = received
      .filter(({ body }) => body.includes("opt_out.added"))
      .map(({ headers }) => headers["webhook-id"]);
    expect([ids.length > 1, new Set(ids).size]).toEqual([true, 1]);
    await page.getByLabel("Status").selectOption("failed");
    await page.getByText("No matching deliveries").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await added.waitFor();

    await panel.getByRole("button", { name: "Rotate secret" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
    await shown.waitFor();
    expect(await shown.textContent()).not.toBe(secret);
    await panel.getByText("Old secret signs until").waitFor();
    answers(410, "gone");
    await panel.getByRole("button", { name: "Send test event" }).click();
    await page.getByRole("dialog", { name: "Test event" }).getByText("gone").first().waitFor();
    await page.getByRole("dialog", { name: "Test event" }).getByLabel("Close").click();
    await panel.getByText(/the URL responded with 410/).waitFor();
    await expectFit(operator, "webhook-disabled");
    await panel.getByRole("button", { name: "Enable" }).click();
    await panel.getByRole("button", { name: "Disable" }).waitFor();
    await panel.getByRole("link", { name: "Settings" }).click();
    await panel.getByLabel("All events, including types added later").check();
    await expectFit(operator, "webhook-settings");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const { webhooks } = await account.server<{ webhooks: unknown[] }>("GET", "/api/v1/webhooks");
    expect(webhooks).toMatchObject([{ types: ["*"], url: RECEIVER }]);
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No webhooks yet").waitFor();
  });

  it("a viewer sees webhooks without any controls to change them", async () => {
    const { page, account, goTo } = await signedInAs("viewer");
    const created = await account.server<{ id: string }>("POST", "/api/v1/webhooks", { url: RECEIVER, types: ["*"] });
    await goTo(`/webhooks/${created.id}`);
    await page.getByText("Nothing sent yet").waitFor();
    for (const name of ["Send test event", "Rotate secret", "Resend failed…", "Delete", "Disable"])
      expect(await page.getByRole("button", { name }).count(), name).toBe(0);
    await expect.poll(() => page.getByRole("link", { name: "New webhook" }).count()).toBe(0);
  });
});
