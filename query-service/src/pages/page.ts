import type { QueryServiceDeps } from '../deps.js';
import type { Reader } from '../models/reader.js';
import type { PageAnswer } from './head.js';

/** What a page is made with. */
export interface PageTools extends Pick<QueryServiceDeps, 'images' | 'publicUrl'> {
  readonly reader: Reader;
  /** As asked for, still encoded. */
  readonly path: string;
}

/** `params`: the decoded segments that the address leaves open, in its order. */
export type Page = (
  tools: PageTools,
  ...params: readonly string[]
) => PageAnswer | Promise<PageAnswer>;
