import { expect, it } from "vitest";
import { GuideShelf } from "../../src/mcp/guides.ts";

const PAGE = { name: "guides/retrying", title: "Retrying", summary: "Safely.", markdown: "# Retrying" };

it("a request reads the guides itself while no earlier request has finished reading them", async () => {
  const shelf = new GuideShelf();
  const requests: string[] = [];
  const read = (by: string, answer: Promise<Response>) => {
    const fetch = () => {
      requests.push(by);
      return answer;
    };
    return shelf.read({ fetch }, "https://switchboard.test");
  };
  // The client of this request has left, so its work never completes.
  void read("first", new Promise<Response>(() => undefined));
  const second = read("second", Promise.resolve(Response.json([PAGE])));
  expect(requests).toEqual(["first", "second"]);
  expect(await second).toEqual([PAGE]);
  expect(await read("third", Promise.resolve(Response.json([])))).toEqual([PAGE]);
  expect(requests).toEqual(["first", "second"]);
});
