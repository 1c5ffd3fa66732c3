import { SOCKET_NOTIFICATION, SOCKET_REGISTER, SOCKET_RIGHTS } from '@oja/contracts/wire';
import { io } from 'socket.io-client';
import { accessToken, refreshToken } from './api/client.js';
import { unreadKey } from './api/notifications.js';
import { profileQuery } from './api/profile.js';
import { queryClient, readAgain } from './api/query-client.js';
import { updateUser } from './stores/session.js';
import { toast } from './ui/toast.js';

/** How often the unread notices are read while the line is down, in ms. */
const POLL_MS = 30_000;

function wordsOf(said: unknown): string {
  if (typeof said === 'string') return said;
  const message =
    typeof said === 'object' && said !== null && 'message' in said ? said.message : undefined;
  return typeof message === 'string' ? message : 'New order';
}

/**
 * Hears the seller's notices as they happen: shows each as a toast and has the unread ones read again. What was
 * missed while the line was down is read when it stands again, and every 30 s until then. Answers how to hang up.
 */
export function listen(sellerId: string): () => void {
  const socket = io({
    transports: ['websocket'],
    auth: (give) => give({ token: accessToken() }),
    withCredentials: true,
  });
  /** What there is word of changes the notices, the money, and what there is to hand over. */
  const news = [unreadKey(sellerId), ['earnings'], ['own-orders']];
  const lookForNews = () => {
    for (const queryKey of news) void queryClient.invalidateQueries({ queryKey });
  };
  let over = false;
  /** Promoted, demoted or suspended since the login: the page follows at once. A failure is made good by the next look. */
  const lookWhoIsHere = async () => {
    try {
      const profile = await queryClient.fetchQuery({ ...profileQuery, staleTime: 0 });
      const { user_id, name, businessName, is_admin, is_subAdmin, is_suspended } = profile;
      if (over || user_id !== sellerId) return;
      updateUser({ user_id, name, businessName, is_admin, is_subAdmin, is_suspended });
    } catch (error) {
      console.error(error);
    }
  };
  /** The server hung up or said no: a token lives ten minutes, and a fresh one opens the line again. */
  const comeBack = async () => {
    if (over || socket.active) return;
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
    toast.info(wordsOf(said));
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
