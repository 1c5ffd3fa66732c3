import type { News, Notification } from '@oja/contracts';
import { SOCKET_NOTIFICATION, SOCKET_REGISTER } from '@oja/contracts/wire';
import { io } from 'socket.io-client';
import { Caller, field } from '../chaos/caller.js';
import { signIn } from '../chaos/staff.js';

/** A seller whose dashboard stays open all day. */
export interface Seller {
  readonly userId: string;
  /** Refreshes the session as the web app does; returns the last status. */
  stay(): Promise<number>;
  /** Everything in the list of notices. */
  notices(): Promise<readonly (Notification | News)[]>;
  /** How many live hints have arrived. */
  hints(): number;
  close(): void;
}

export async function openDashboard(origin: string, businessName: string): Promise<Seller> {
  const caller = new Caller(origin);
  const userId = await signIn(caller, businessName);
  let hints = 0;
  const socket = io(origin, {
    transports: ['websocket'],
    auth: (tell) => tell({ token: caller.client.token }),
  });
  socket.on('connect', () => socket.emit(SOCKET_REGISTER, userId));
  socket.on(SOCKET_NOTIFICATION, () => {
    hints += 1;
  });
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return {
    userId,
    async stay() {
      const { status, body } = await caller.persist({ method: 'GET', path: '/v1/refresh-token' });
      const token = field(body, 'accessToken');
      if (typeof token === 'string') caller.client.token = token;
      return status;
    },
    async notices() {
      const { result, news } = await caller.client.get<{ result: Notification[]; news: News[] }>(
        `/v1/notifications/unread/${userId}`,
      );
      return [...result, ...news];
    },
    hints: () => hints,
    close: () => socket.close(),
  };
}
