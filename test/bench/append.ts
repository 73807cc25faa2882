import { contactList } from "./contact-list.ts";
import { megabytes, millisecondsOf, perSecond } from "./figures.ts";
import { startService } from "./service.ts";

/** Contacts added to a campaign of many: new ones, the same again, and new ones that are refused at the end. */
export async function benchAppend(contacts: number, added: number): Promise<void> {
  console.log(`${added} contacts added to a campaign of ${contacts}`);
  const service = await startService();
  try {
    const { id } = await service.upload(contactList(contacts));
    const add = async (what: string, list: Blob) => {
      const form = new FormData();
      form.set("contacts", new File([list], "contacts.csv", { type: "text/csv" }));
      const headers = service.headers;
      const before = await service.memory.now();
      let answer = "";
      const { result: ms, peak } = await service.memory.during(() =>
        millisecondsOf(async () => {
          const url = `${service.base}/api/v1/campaigns/${id}/contacts`;
          const response = await fetch(url, { method: "POST", headers, body: form });
          answer = `${response.status} ${await response.text()}`;
        }),
      );
      const more = megabytes(peak.heap - before.heap);
      console.log(
        `  ${what}: ${ms.toFixed(0)} ms, ${perSecond(added, ms)} rows/s, at most ${more} MB more heap: ${answer}`,
      );
    };
    await add("new ones", contactList(added, contacts));
    await add("the same again", contactList(added, contacts));
    await add("refused", new Blob([contactList(added, contacts + added), "nonsense,x,y\n"]));
  } finally {
    await service.stop();
  }
}
