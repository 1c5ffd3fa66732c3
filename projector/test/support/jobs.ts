import type { JobOptions, Jobs, JsonObject } from '@oja/platform';

/** Queues that record each added job once per id, and run none. */
export class MemoryJobs implements Jobs {
  readonly added = new Map<string, { readonly queue: string; readonly data: JsonObject }>();

  async add(queue: string, data: JsonObject, options: JobOptions): Promise<void> {
    if (!this.added.has(options.id)) this.added.set(options.id, { queue, data });
  }

  work = () => ({ close: async () => {} });
  counts = async () => ({ waiting: 0, delayed: 0, active: 0, failed: 0 });
  find = async () => null;
  close = async () => {};
}
