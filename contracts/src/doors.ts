import type { Owner } from './call.js';

/** A part of the address space that is not a call: pictures, test payments, live hints, pages. */
export interface Door {
  readonly prefix: string;
  readonly owner: Owner;
  readonly what: string;
  /** Connections are turned into web sockets here, and nowhere else. Default: no. */
  readonly upgrades?: true;
}

/**
 * Where a path goes that no call claims: the longest prefix wins. `/v1/` is no prefix of `/v1_1/`, and
 * `/metrics`, `/healthz` and `/readyz` are each process's own and never routed.
 */
export const doors: readonly Door[] = [
  { prefix: '/v1_1/', owner: 'command-service', what: 'image host: upload' },
  { prefix: '/v1/image/', owner: 'command-service', what: 'image host: pictures' },
  { prefix: '/sandbox/', owner: 'command-service', what: 'test payments' },
  { prefix: '/socket.io/', owner: 'query-service', what: 'live hints', upgrades: true },
  { prefix: '/', owner: 'query-service', what: 'pages and what they are made of' },
];

/** Prefixes of the paths at which a connection may become a web socket. */
export const upgradePaths: readonly string[] = doors
  .filter(({ upgrades }) => upgrades === true)
  .map(({ prefix }) => prefix);
