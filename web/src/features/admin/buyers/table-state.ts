import type { SortingState } from '@tanstack/react-table';
import { useAddress } from '../../../app/use-address.js';

/** Rows a page. */
export const PAGE_SIZE = 25;
/** As the server sends them: newest first. */
const NEWEST = '-created_at';

/** What the address says of the table. */
export interface TableState {
  readonly sorting: SortingState;
  /** Counted from 0. */
  readonly page: number;
  readonly find: string;
  readonly recieved: string;
}

/** '-amount' sorts by amount, largest first. */
export function readTable(params: URLSearchParams): TableState {
  const sort = params.get('sort') ?? NEWEST;
  const page = Math.trunc(Number(params.get('page') ?? 1)) - 1;
  return {
    sorting: [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }],
    page: Math.max(0, page || 0),
    find: params.get('find') ?? '',
    recieved: params.get('recieved') ?? '',
  };
}

/** The address after a change; what is as at first is left out, and other changes lead to the first page. */
export function writeTable(params: URLSearchParams, change: Partial<TableState>): URLSearchParams {
  const next = new URLSearchParams(params);
  const put = (name: string, value: string, first: string) => {
    if (value === first) next.delete(name);
    else next.set(name, value);
  };
  const [by] = change.sorting ?? [];
  if (change.sorting !== undefined)
    put('sort', by === undefined ? NEWEST : `${by.desc ? '-' : ''}${by.id}`, NEWEST);
  if (change.find !== undefined) put('find', change.find, '');
  if (change.recieved !== undefined) put('recieved', change.recieved, '');
  put('page', String((change.page ?? 0) + 1), '1');
  return next;
}

/** The state of the table, kept in the address. */
export function useTableState() {
  const [params, go] = useAddress();
  const change = (part: Partial<TableState>) =>
    go(writeTable(params, part), { replace: true, preventScrollReset: true });
  return [readTable(params), change] as const;
}
