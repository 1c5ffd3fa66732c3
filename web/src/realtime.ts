import { SOCKET_NOTIFICATION, SOCKET_REGISTER, SOCKET_RIGHTS } from '@oja/contracts/wire';
import { io } from 'socket.io-client';
import { accessToken, refreshToken } from './api/client.js';
import { unreadKey } from './api/notifications.js';
import { payoutAccountQuery, profileQuery, updateUser } from './api/profile.js';
import { invalidate, queryClient } from './api/query-client.js';
import { noticeText } from './push/message.js';
import { toast } from './ui/toast.js';

/** How often the unread notices are fetched while the socket is disconnected, in ms. */
const POLL_MS = 30_000;

/**
 * Receives the seller's notices as they happen: shows each as a toast and refetches the unread ones. What was
 * missed while disconnected is fetched on reconnect, and every 30 s until then.
 * @returns a function that disconnects
 */
export function listen(sellerId: string): () => void {
  const socket = io({
    transports: ['websocket'],
    auth: (give) => give({ token: accessToken() }),
    withCredentials: true,
  });
  /** A notice changes the unread list, the money, and the orders to hand over; or another device has set a bank account. */
  const noticeKeys = [
    unreadKey(sellerId),
    ['earnings'],
    ['own-orders'],
    payoutAccountQuery.queryKey,
  ];
  const refetchNotices = () => {
    for (const queryKey of noticeKeys) void queryClient.invalidateQueries({ queryKey });
  };
  let isStopped = false;
  /**
   * The seller may have been promoted, demoted or suspended since the login: updates the page at once. After
   * a failure the next call tries again. A read that is under way may have begun before the change, and is
   * begun anew.
   */
  const refreshProfile = async () => {
    void queryClient.cancelQueries({ queryKey: profileQuery.queryKey }, { silent: true });
    try {
      const profile = await queryClient.fetchQuery({ ...profileQuery, staleTime: 0 });
      if (!isStopped && profile.user_id === sellerId) updateUser(profile);
    } catch {
      // The query cache has logged it, unless it was cancelled: by a logout, or by a newer read.
    }
  };
  let lastReconnectAt = Number.NEGATIVE_INFINITY;
  /**
   * The server closed or refused the connection, as tokens live ten minutes. Reconnects with a fresh one. Where that is
   * refused too, something else than the token is wrong, and the next try is left to the poll: the library does not wait.
   */
  const reconnect = async () => {
    if (isStopped || socket.active || Date.now() - lastReconnectAt < POLL_MS) return;
    lastReconnectAt = Date.now();
    const used = accessToken();
    const fresh = await refreshToken(used);
    if (!isStopped && fresh && accessToken() !== used) socket.connect();
  };

  socket.on('connect', () => {
    socket.emit(SOCKET_REGISTER, sellerId);
    refetchNotices();
    void refreshProfile();
  });
  socket.on(SOCKET_RIGHTS, () => void refreshProfile());
  socket.on('connect_error', () => void reconnect());
  socket.on('disconnect', () => void reconnect());
  socket.on(SOCKET_NOTIFICATION, (notice: unknown) => {
    toast.info(noticeText(notice));
    void invalidate(...noticeKeys);
  });
  const poll = setInterval(() => {
    if (socket.connected) return;
    refetchNotices();
    void refreshProfile();
    void reconnect();
  }, POLL_MS);
  return () => {
    isStopped = true;
    clearInterval(poll);
    socket.disconnect();
  };
}
