import type { Author } from "../../kernel/db/account-store.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { erasureOf } from "../../kernel/durable/objects.ts";
import { logError } from "../../kernel/log.ts";
import { ObservedObject } from "../../kernel/observing/observed-object.ts";
import type { Subject } from "../../kernel/personal-data.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { ErasureJob } from "./job.ts";
import { ERASURE_MIGRATIONS, JobStore } from "./job-store.ts";
import { publishReceipt, recordErasure } from "./receipts.ts";
import { STEPS } from "./steps/index.ts";

/**
 * The Durable Object of an erasure, `<account>/<erasure id>`. It deletes a person's data from every store of the
 * account.
 */
export class Erasure extends ObservedObject<Env> {
  readonly #self = erasureOf(this.ctx);
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    migrations: ERASURE_MIGRATIONS,
    build: () => ({ job: this.#build(new JobStore(this.ctx.storage)) }),
    parts: ({ job }) => ({ job }),
    report: (error, context) => logError("erasure", error, context),
  });

  #build(store: JobStore): ErasureJob {
    const [env, { account, id }] = [this.env, this.#self];
    const storeAs = (author: Author) => accountStore(env, account, author);
    const own = storeAs({ actor: "system:erasure", request_id: id });
    const ledger = new Ledger({ env, store: own });
    return new ErasureJob({
      store,
      steps: STEPS,
      record: (job) => recordErasure(storeAs(job.author), id, job),
      publish: (job) => publishReceipt(own, id, job),
      work: ({ subject, round }) => ({
        env,
        store: own,
        ledger,
        subject,
        number: "phone_number" in subject ? subject.phone_number : null,
        visitor: "visitor_id" in subject ? subject.visitor_id : null,
        order: round === 1 ? id : `${id}/${round}`,
        traces: (kind, after, limit) => store.traces(kind, after, limit),
        carrierRecordings: (limit) => store.carrierRecordings(limit),
      }),
    });
  }

  /**
   * Begins the erasure, which is stored when this resolves. Idempotent. Returns false and stores nothing if too many
   * are pending.
   */
  async begin(subject: Subject, author: Author): Promise<boolean> {
    const { job } = this.frame.open();
    new JobStore(this.ctx.storage).begin(subject, author, job.first, Date.now());
    await this.frame.arm();
    const isAdmitted = await job.record();
    if (!isAdmitted) await this.frame.empty();
    return isAdmitted;
  }
}
