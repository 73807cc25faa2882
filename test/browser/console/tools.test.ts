import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { expectFit, serveConsole, signedIn, withSession } from "./operator.ts";

/** The last request to the test's HTTP server, which a tool calls. */
let received: { path: string | undefined; headers: IncomingHttpHeaders; body: string } | undefined;
const vendor = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  received = { path: request.url, headers: request.headers, body };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ order: { number: 1042, status: "on its way" } }));
});
await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
const { port } = vendor.address() as AddressInfo;
const host = `127.0.0.1:${port}`;
afterAll(() => new Promise((resolve) => vendor.close(resolve)));

serveConsole({ TOOL_HOSTS: host });

interface Tool {
  id: string;
  description: string;
  schema: unknown;
  implementation_config: unknown;
  effect: string;
  max_runs: number | null;
  bind: object;
}

describe("tools", () => {
  it("show the field that is still missing above the form's buttons, not under them", async () => {
    const { page } = await signedIn("/tools/new");
    const form = page.getByRole("complementary", { name: "New tool" });
    await form.getByLabel("Name", { exact: true }).fill("check_stock");
    await form.getByRole("button", { name: "Save" }).click();
    const isSeen = () =>
      page.evaluate(() => {
        const field = document.activeElement;
        const { left, bottom } = field?.getBoundingClientRect() ?? new DOMRect();
        return field?.matches(":invalid") && document.elementFromPoint(left + 8, bottom - 4) === field;
      });
    await expect.poll(isSeen).toBe(true);
  });

  it("a tool is defined by a form, and run with the request shown without secrets", async () => {
    const operator = await withSession();
    const { page, account } = operator;
    const secrets = { params: { base_url: `http://${host}` }, secrets: { write_key: "wk_very_secret" } };
    await account.server("POST", "/api/v1/integrations/custom_api/install", secrets);
    await operator.goTo("/tools");
    await page.getByRole("link", { name: "New tool" }).click();
    const form = page.getByRole("complementary", { name: "New tool" });
    await form.getByLabel("Title").fill("Parcel status");
    expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("parcel_status");
    await form.getByLabel("Description").fill("Tells where an order is.");
    await form.getByRole("button", { name: "Add parameter" }).click();
    const parameter = form.getByRole("group", { name: "Parameter 1" });
    await parameter.getByLabel("Name").fill("order_id");
    await parameter.getByLabel("Description").fill("The order's number");
    await form.getByLabel("URL").fill("https://user@shop.example/");
    await form.getByLabel("Authentication").selectOption("Bearer token");
    await form.getByLabel("Token").fill("{{stripe.secret_key}}");
    await form.getByRole("button", { name: "Add header" }).click();
    await form.getByLabel("Headers: Name").fill("x-order");
    await form.getByLabel("Headers: Value").fill("{order_id}");
    await form.getByLabel("Response path").fill("order.status");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("must not contain credentials").waitFor();
    await form.getByLabel("URL").fill("{{custom_api.base_url}}/orders/{order_id}");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("it may only go to api.stripe.com").waitFor();
    await form.getByLabel("Token").fill("{{custom_api.write_key}}");
    await form.getByRole("button", { name: "Save" }).click();

    const panel = page.getByRole("complementary", { name: "Parcel status" });
    await panel.waitFor();
    const { schema, implementation_config } = await account.server<Tool>("GET", "/api/v1/tools/parcel_status");
    expect(schema).toEqual({
      type: "object",
      properties: { order_id: { type: "string", description: "The order's number" } },
      required: ["order_id"],
    });
    expect(implementation_config).toEqual({
      method: "GET",
      url: "{{custom_api.base_url}}/orders/{order_id}",
      auth: { type: "bearer", token: "{{custom_api.write_key}}" },
      headers: { "x-order": "{order_id}" },
      response: { path: "order.status" },
    });
    await expectFit(operator, "tool");

    // The focus stays while earlier results are shown and refetched.
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/v1/integrations", async (route) => {
      await held;
      await route.continue();
    });
    await panel.getByRole("link", { name: "Run", exact: true }).click();
    await panel.getByLabel("Order ID").focus();
    await page.keyboard.type("10");
    const answered = page.waitForResponse("**/api/v1/integrations");
    answer();
    await (await answered).finished();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
    await page.keyboard.type("42");
    expect(await panel.getByLabel("Order ID").inputValue()).toBe("1042");
    await panel.getByRole("button", { name: "Preview request" }).click();
    await panel.getByRole("heading", { name: "Request preview" }).waitFor();
    expect(received).toBeUndefined();
    await panel.getByRole("button", { name: "Run", exact: true }).click();
    await panel.getByText("Succeeded").waitFor();
    expect(received?.path).toBe("/orders/1042");
    expect(received?.headers).toMatchObject({ authorization: "Bearer wk_very_secret", "x-order": "1042" });
    await panel.getByText(`GET http://${host}/orders/1042`).waitFor();
    await panel.getByText("Bearer ***").waitFor();
    await expect.poll(() => page.getByText("wk_very_secret").count()).toBe(0);
    expect(await panel.getByRole("region", { name: "Result for the agent" }).textContent()).toBe("on its way");
    await expectFit(operator, "tool-run");

    await panel.getByRole("link", { name: "Recent runs" }).click();
    // The preview isn't listed as a run.
    await expect.poll(() => panel.getByRole("row").count()).toBe(2);
    await panel.getByRole("row").last().getByText("200").first().waitFor();
    await expectFit(operator, "tool-runs");
  });

  it("show their effect, how often they may run, and which arguments are filled in", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    const { id } = await account.server<Tool>("POST", "/api/v1/tools", {
      name: "customer_orders",
      schema: {
        type: "object",
        properties: { customer_id: { type: "string" }, since: { type: "string" } },
        required: ["customer_id"],
      },
      implementation_config: { method: "POST", url: `http://${host}/{customer_id}`, body: { since: "{since}" } },
    });
    const stored = () => account.server<Tool>("GET", `/api/v1/tools/${id}`);
    expect(await stored()).toMatchObject({ effect: "write", max_runs: 3, bind: {} });
    await goTo(`/tools/${id}`);
    const panel = page.getByRole("complementary", { name: "Customer orders" });
    expect(await panel.getByLabel("Runs per conversation").inputValue()).toBe("3");
    await panel.getByLabel("What it does").selectOption("Looks something up");
    await panel.getByLabel("Runs per conversation").fill("8");
    await panel.getByLabel("customer_id is filled in with").selectOption("The visitor's ID");
    await panel.getByLabel("Also for guests").check();
    await panel.getByLabel("since is filled in with").selectOption("A column of the contact");
    await panel.getByLabel("Column").fill("Joined on");
    await expectFit(operator, "tool-usage");
    await panel.getByRole("button", { name: "Save" }).click();
    await expect.poll(stored).toMatchObject({
      effect: "read",
      max_runs: 8,
      bind: { customer_id: { from: "visitor.id", unverified: true }, since: "contact.Joined on" },
    });
    await panel.getByLabel("since is filled in with").selectOption("A value from the model");
    await panel.getByLabel("Also for guests").uncheck();
    await panel.getByRole("button", { name: "Save" }).click();
    await expect.poll(stored).toMatchObject({ bind: { customer_id: "visitor.id" } });
    // The run form asks for the arguments of the tool that the panel shows.
    await expect.poll(() => panel.locator("[aria-busy=true]").count()).toBe(0);

    await panel.getByRole("link", { name: "Run", exact: true }).click();
    await panel.getByText("In a conversation: visitor.id.").waitFor();
    await panel.getByLabel("Customer ID").fill("42");
    await panel.getByRole("button", { name: "Preview request" }).click();
    await panel.getByText(`POST http://${host}/42`).waitFor();
  });

  it("show errors at their fields, scrolled to and focused, and others above the form", async () => {
    const { page, account, goTo } = await withSession();
    const { id } = await account.server<Tool>("POST", "/api/v1/tools", {
      name: "far_below",
      schema: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
      implementation_config: { method: "GET", url: `http://${host}/`, response: { path: "a" } },
    });
    let errors: { field: string; code: string; message: string }[] = [];
    await page.route("**/api/v1/tools/*", (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      const body = JSON.stringify({ title: "invalid", status: 400, errors });
      return route.fulfill({ status: 400, contentType: "application/problem+json", body });
    });
    await goTo(`/tools/${id}`);
    const panel = page.getByRole("complementary", { name: "Far below" });
    const url = panel.getByLabel("URL");
    const save = async (path: string) => {
      await panel.getByLabel("Response path").fill(path);
      await panel.getByRole("button", { name: "Save" }).click();
    };
    const isInSight = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const around = element.closest("aside")?.getBoundingClientRect();
      return around !== undefined && top >= around.top && bottom <= around.bottom && bottom <= innerHeight;
    };
    const isFocused = (element: Element) => element === document.activeElement;

    errors = [{ field: "implementation_config.url", code: "invalid_format", message: "must be an address" }];
    await save("b");
    await panel.getByText("URL must be an address.").waitFor();
    await expect.poll(() => url.evaluate(isFocused)).toBe(true);
    expect(await url.getAttribute("aria-invalid")).toBe("true");
    const described = await url.getAttribute("aria-describedby");
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe("URL must be an address.");
    expect(await url.evaluate(isInSight)).toBe(true);
    await expect.poll(() => panel.getByRole("alert").count()).toBe(0);

    errors = [{ field: "implementation_config", code: "invalid", message: "must have an address" }];
    await save("c");
    const group = panel.getByText("must have an address.");
    await expect.poll(() => group.evaluate(isFocused)).toBe(true);

    errors = [{ field: "owner.id", code: "required", message: "is required" }];
    await save("d");
    const alert = panel.getByRole("alert");
    await alert.getByText("ID is required.").waitFor();
    await expect.poll(() => alert.evaluate(isFocused)).toBe(true);
    expect(await alert.evaluate(isInSight)).toBe(true);
  });

  it("a tool is edited as JSON if the form cannot express it", async () => {
    const { page, account } = await signedIn("/tools/look_up_order");
    const panel = page.getByRole("complementary", { name: "Look up order" });
    await panel.getByText("Also set in JSON: maxLength, pattern").waitFor();
    await panel.getByRole("button", { name: "Parameters: JSON" }).click();
    const json = panel.getByLabel("JSON Schema of the arguments");
    const schema = JSON.parse(await json.inputValue());
    await json.fill("{");
    await panel.getByText("Invalid JSON").waitFor();
    expect(await panel.getByRole("button", { name: "Parameters: Form" }).isDisabled()).toBe(true);
    schema.properties.order_number.maxLength = 12;
    schema.properties.gift = { type: ["boolean", "null"] };
    await json.fill(JSON.stringify(schema));
    await panel.getByRole("button", { name: "Parameters: Form" }).click();
    await panel.getByRole("group", { name: "Parameter 1" }).getByLabel("Description").fill("As printed");
    expect(await panel.getByRole("group", { name: "Parameter 2" }).getByLabel("Type").inputValue()).toBe("json");
    await panel.getByRole("button", { name: "Add parameter" }).click();
    const third = panel.getByRole("group", { name: "Parameter 3" });
    await third.getByLabel("Name").fill("gift");
    await third.getByText("Another parameter has this name.").waitFor();
    await third.getByRole("button", { name: "Remove gift" }).click();
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("edited here").waitFor();
    const stored = await account.server<Tool>("GET", "/api/v1/tools/look_up_order");
    schema.properties.order_number.description = "As printed";
    expect(stored.schema).toEqual(schema);
  });

  it("show the parameters and the request that someone else has saved meanwhile, and keep them", async () => {
    const { page, account, goTo } = await withSession();
    const schemaWith = (...names: string[]) => ({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    });
    const { id } = await account.server<Tool>("POST", "/api/v1/tools", {
      name: "order",
      schema: schemaWith("sku"),
      implementation_config: { method: "GET", url: `http://${host}/orders` },
    });
    const path = `/api/v1/tools/${id}`;
    await goTo(`/tools/${id}`);
    const panel = page.getByRole("complementary", { name: "Order" });
    const url = panel.getByLabel("URL", { exact: true });
    const nameOf = (nth: number) => panel.getByRole("group", { name: `Parameter ${nth}` }).getByLabel("Name");
    const save = panel.getByRole("button", { name: "Save" });
    await expect.poll(() => nameOf(1).inputValue()).toBe("sku");
    const theirUrl = `http://${host}/orders/theirs`;
    const implementation_config = { method: "GET", url: theirUrl };
    await account.server("PUT", path, { schema: schemaWith("item", "color"), implementation_config });
    await panel.getByLabel("Description").first().fill("By me.");
    await save.click();
    await expect.poll(() => nameOf(1).inputValue()).toBe("item");
    await expect.poll(() => nameOf(2).inputValue()).toBe("color");
    await expect.poll(() => url.inputValue()).toBe(theirUrl);
    await page.getByText("Saved", { exact: true }).waitFor();
    await nameOf(2).fill("size");
    await panel.getByLabel("Method").selectOption("POST");
    await save.click();
    await expect
      .poll(() => account.server<Tool>("GET", path))
      .toMatchObject({
        description: "By me.",
        schema: schemaWith("item", "size"),
        implementation_config: { method: "POST", url: theirUrl },
      });

    // The form can't express what someone else saves next.
    await account.server("PUT", path, { schema: Object.assign(schemaWith("item"), { required: ["other"] }) });
    await panel.getByLabel("Description").first().fill("By me again.");
    await save.click();
    const json = panel.getByLabel("JSON Schema of the arguments");
    await expect.poll(async () => JSON.parse(await json.inputValue())).toMatchObject({ required: ["other"] });
  });

  it("take lists, objects, choices and booleans from a form of their schema", async () => {
    const { page, account, goTo } = await withSession();
    const text = { type: "string" };
    const schema = {
      type: "object",
      properties: {
        lines: {
          type: "array",
          minItems: 1,
          items: { type: "object", properties: { sku: text, count: { type: "integer" } }, required: ["sku"] },
        },
        speed: { enum: ["slow", "fast"] },
        is_gift: { type: "boolean" },
        note: text,
        more: { type: ["string", "null"] },
      },
      required: ["lines", "speed"],
    };
    const properties = Object.keys(schema.properties);
    const body = Object.fromEntries(properties.map((name) => [name, `{${name}}`]));
    const { id } = await account.server<Tool>("POST", "/api/v1/tools", {
      name: "order",
      schema,
      implementation_config: { method: "POST", url: `http://${host}/orders`, body },
    });
    await goTo(`/tools/${id}/run`);
    const panel = page.getByRole("complementary", { name: "Order" });
    await panel.getByLabel("Sku").fill("A-1");
    await panel.getByLabel("Count (optional)").fill("3");
    await panel.getByRole("button", { name: "Add item" }).click();
    await panel.getByLabel("Sku").last().fill("B-2");
    await panel.getByLabel("Speed").selectOption("fast");
    await panel.getByLabel("Is gift (optional)").selectOption("Yes");
    await panel.getByLabel("More (optional)").fill("null");
    await panel.getByRole("button", { name: "Run", exact: true }).click();
    await panel.getByText("Succeeded").waitFor();
    expect(JSON.parse(received?.body ?? "")).toEqual({
      lines: [{ sku: "A-1", count: 3 }, { sku: "B-2" }],
      speed: "fast",
      is_gift: true,
      more: null,
    });
    // The service reports the invalid argument.
    await panel.getByLabel("Speed").selectOption("Not set");
    await panel.getByRole("button", { name: "Run", exact: true }).click();
    await panel.getByRole("alert").getByText("speed").waitFor();
  });

  it("tools are found by words, type and category, and custom ones can be deleted", async () => {
    const operator = await withSession();
    const { page, account, goTo } = operator;
    await account.server("POST", "/api/v1/tools", { name: "say_hello", implementation_type: "python" });
    await goTo("/tools?type=python");
    await page.getByRole("link", { name: "Say hello" }).waitFor();
    await page.getByRole("link", { name: "Look up order" }).waitFor({ state: "detached" });
    await page.getByLabel("Search", { exact: true }).fill("hello");
    await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(2);
    await page.getByRole("link", { name: "Say hello" }).click();
    const panel = page.getByRole("complementary", { name: "Say hello" });
    await panel.getByRole("link", { name: "Run", exact: true }).click();
    await panel.getByText("can't be run here").waitFor();
    await panel.getByRole("link", { name: "Definition" }).click();
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await panel.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Look up order" }).waitFor();
    await expectFit(operator, "tools");
  });
});
