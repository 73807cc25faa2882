import { describe, expect, it } from "vitest";
import { expectFit, type Operator, serveConsole, signedInAs, withSession } from "./operator.ts";

serveConsole();

interface Tests {
  tests: { id: string; name: string; steps: { says: string }[]; expect: object[]; required: boolean }[];
}

const testsOf = async ({ account }: Operator) =>
  (await account.server<Tests>("GET", `/api/v1/agents/${account.agent.id}/tests`)).tests;

/** Opens the tests of the agent of a new account. */
async function atTests() {
  const operator = await withSession();
  const { account, goTo, page } = operator;
  await goTo(`/agents/${account.agent.id}/tests`);
  await page.getByRole("heading", { name: "Tests", exact: true }).waitFor();
  return { operator, page, path: `/api/v1/agents/${account.agent.id}/tests`, server: account.server };
}

describe("tests of agents", () => {
  it("a test of an agent is created and run, showing each unmet expectation at its turn", async () => {
    const { operator, page } = await atTests();
    await page.getByText("No tests yet").waitFor();
    await expectFit(operator, "agent-tests-empty");
    await page.getByRole("link", { name: "New test" }).click();
    const form = page.getByRole("complementary", { name: "New test" });
    await form.getByLabel("Name", { exact: true }).fill("Takes its leave");
    await form.getByLabel("Message 1", { exact: true }).fill("Hello there.");
    await form.getByRole("button", { name: "Add a message" }).click();
    await form.getByLabel("Message 2", { exact: true }).fill("Thank you, goodbye.");
    await form.getByRole("button", { name: "Add an expectation" }).click();
    await form.getByLabel("Text", { exact: true }).fill("bananas");
    await form.getByRole("button", { name: "Add an expectation" }).click();
    const second = form.getByRole("group", { name: "Expectations 2" });
    await second.getByLabel("Expectation", { exact: true }).selectOption("The agent never says");
    await second.getByLabel("Text", { exact: true }).fill("hello");
    await form.getByRole("button", { name: "Add a response" }).click();
    const mock = form.getByRole("group", { name: "Tool responses 1" });
    await mock.getByLabel("Tool").fill("book_appointment");
    await mock.getByLabel("Response", { exact: true }).fill("{ nothing");
    await form.getByLabel("Repetitions", { exact: true }).fill("3");
    const passes = form.getByLabel("Repetitions that must pass");
    expect(await passes.inputValue()).toBe("3");
    await passes.fill("2");
    await form.getByLabel("Required to publish").check();
    // Invalid JSON isn't sent.
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await mock.getByText("Invalid JSON", { exact: false }).waitFor();
    await mock.getByLabel("Response", { exact: true }).fill('{ "booked": true }');
    await expectFit(operator, "agent-test-new");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Test created").waitFor();
    expect(await testsOf(operator)).toMatchObject([
      {
        name: "Takes its leave",
        steps: [{ says: "Hello there." }, { says: "Thank you, goodbye." }],
        expect: [{ said: "bananas" }, { not_said: "hello" }],
        tool_mocks: [{ tool: "book_appointment", when: null, result: { booked: true } }],
        repeat: 3,
        min_passes: 2,
        required: true,
      },
    ]);
    await page
      .getByRole("complementary", { name: "Takes its leave" })
      .getByLabel("Repetitions", { exact: true })
      .fill("1");
    await page.getByRole("complementary").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await testsOf(operator)).toMatchObject([{ repeat: 1, min_passes: 1 }]);

    const panel = page.getByRole("complementary", { name: "Takes its leave" });
    await panel.getByRole("button", { name: "Run this test…" }).click();
    const dialog = page.getByRole("dialog", { name: "Run tests" });
    await dialog.getByLabel("Repetitions per test").fill("2");
    await expectFit(operator, "agent-tests-run-dialog");
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    const run = page.getByRole("complementary", { name: /^Tests on version/ });
    await run.getByText("0 of 2 conversations went as expected").waitFor();
    const first = run.getByRole("region", { name: "Takes its leave" }).first();
    await first.getByText("The agent says “bananas”").waitFor();
    const greeting = first.getByRole("listitem").filter({ hasText: "Hello, I am Ada." });
    await greeting.getByText("The agent never says “hello”").waitFor();
    await expectFit(operator, "agent-test-run");

    await page.getByRole("link", { name: /^Takes its leave/ }).click();
    await panel.getByRole("button", { name: "Remove expectation 1" }).click();
    await panel.getByRole("group", { name: "Expectations 1" }).getByLabel("Text", { exact: true }).fill("guarantee");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Run this test…" }).click();
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await run.getByText("1 of 1 conversation went as expected").waitFor();
    await page
      .getByRole("table", { name: "Run history" })
      .or(page.getByRole("region", { name: "Run history" }))
      .getByText("1 of 1 tests passed")
      .waitFor();
    await page.getByRole("link", { name: /^Takes its leave/ }).click();
    await expectFit(operator, "agent-tests");
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByText("It is a required test", { exact: false }).waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No tests yet").waitFor();
  });

  it("run for real only the tools that are allowed, after a warning", async () => {
    const { operator, page, path, server } = await atTests();
    const agent = path.replace(/\/tests$/, "");
    await server("PUT", `${agent}/tools`, { tool_name: "book_appointment" });
    await server("PUT", `${agent}/tools`, { tool_name: "send_sms", enabled: false });
    await server("POST", path, { name: "Takes its leave", steps: [{ says: "Goodbye." }] });
    await page.reload();
    await page.getByRole("button", { name: "Run all tests" }).click();
    const dialog = page.getByRole("dialog", { name: "Run tests" });
    const tool = dialog.getByRole("group", { name: "Tools that run for real" });
    await tool.getByLabel("book_appointment").waitFor();
    await expect.poll(() => tool.getByLabel("send_sms").count()).toBe(0);
    const warning = dialog.getByText("These tools run for real", { exact: false });
    await expect.poll(() => warning.count()).toBe(0);
    await tool.getByLabel("book_appointment").check();
    await warning.waitFor();
    await expectFit(operator, "agent-tests-run-tools");
    const request = page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/test-runs"));
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    expect((await request).postDataJSON()).toMatchObject({
      version: null,
      repeat: 1,
      allow_tools: ["book_appointment"],
    });
    await page.getByText("1 of 1 conversation went as expected").waitFor();

    await page.getByRole("button", { name: "Run again…" }).click();
    const again = page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/test-runs"));
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    expect((await again).postDataJSON()).toMatchObject({ allow_tools: [] });
  });

  it("hide their content from a viewer, who can't change or run them", async () => {
    const operator = await signedInAs("viewer");
    const { account, page, goTo } = operator;
    const path = `/agents/${account.agent.id}/tests`;
    const test = { name: "Takes its leave", steps: [{ says: "A secret of the caller" }] };
    const { id } = await account.server<{ id: string }>("POST", `/api/v1${path}`, test);
    await goTo(`${path}/${id}`);
    const panel = page.getByRole("complementary", { name: "Takes its leave" });
    await panel.getByText("Hidden: your role", { exact: false }).waitFor();
    await page.getByRole("link", { name: "Takes its leave" }).waitFor();
    expect(await page.getByText("A secret of the caller").count()).toBe(0);
    expect(await page.getByRole("button", { name: /Run/ }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "New test" }).count()).toBe(0);
  });
});
