import { SOCKET_NOTIFICATION, SOCKET_REGISTER, SOCKET_RIGHTS } from '@oja/contracts/wire';
import { io } from 'socket.io-client';
import { accessToken, refreshToken } from './api/client.js';
import { unreadKey } from './api/notifications.js';
import { payoutAccountQuery, profileQuery, updateUser } from './api/profile.js';
import { queryClient, readAgain } from './api/query-client.js';
import { messageOf } from './push/message.js';
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
  const news = [unreadKey(sellerId), ['earnings'], ['own-orders'], payoutAccountQuery.queryKey];
  const lookForNews = () => {
    for (const queryKey of news) void queryClient.invalidateQueries({ queryKey });
  };
  let over = false;
  /**
   * The seller may have been promoted, demoted or suspended since the login: updates the page at once. After
   * a failure the next call tries again. A read that is under way may have begun before the change, and is
   * begun anew.
   */
  const lookWhoIsHere = async () => {
    void queryClient.cancelQueries({ queryKey: profileQuery.queryKey }, { silent: true });
    try {
      const profile = await queryClient.fetchQuery({ ...profileQuery, staleTime: 0 });
      if (!over && profile.user_id === sellerId) updateUser(profile);
    } catch (error) {
      console.error(error);
    }
  };
  let triedAt = Number.NEGATIVE_INFINITY;
  /**
   * The server closed or refused the connection, as tokens live ten minutes. Reconnects with a fresh one. Where that is
   * refused too, something else than the token is wrong, and the next try is left to the poll: the library does not wait.
   */
  const comeBack = async () => {
    if (over || socket.active || Date.now() - triedAt < POLL_MS) return;
    triedAt = Date.now();
    const used = accessToken();
    const fresh = await refreshToken(used);
    if (!over && fresh && accessToken() !== used) socket.connect();
  };

  socket.on('connect', () => {
    socket.emit(SOCKET_REGISTER, sellerId);
    lookForNews();
    void lookWhoIsHere();
  });
  socket.on(SOCKET_RIGHTS, () => void lookWhoIsHere());
  socket.on('connect_error', () => void comeBack());
  socket.on('disconnect', () => void comeBack());
  socket.on(SOCKET_NOTIFICATION, (said: unknown) => {
    toast.info(messageOf(said));
    void readAgain(...news);
  });
  const poll = setInterval(() => {
    if (socket.connected) return;
    lookForNews();
    void lookWhoIsHere();
    void comeBack();
  }, POLL_MS);
  return () => {
    over = true;
    clearInterval(poll);
    socket.disconnect();
  };
}
