import { AgentTests as Operations } from "../operations.ts";
import type { FollowOptions, StreamEvent } from "../sse.ts";
import type { Schema } from "../types.ts";

/** Tests of agents and their results. */
export class AgentTests extends Operations {
  /** Streams a run: a snapshot, each test as it begins and ends, and the run's end. */
  events(id: string, options?: FollowOptions): AsyncGenerator<StreamEvent<Schema<"TestRunEvent">>, void> {
    const until = ({ name }: { name: string }) => name === "run.ended";
    return this.streamOf("/api/v1/test-runs/{id}/events", { id }, undefined, Object.assign({ until }, options));
  }
}
