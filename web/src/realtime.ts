import { SOCKET_NOTIFICATION, SOCKET_REGISTER } from '@oja/contracts/wire';
import { io } from 'socket.io-client';
import { unreadKey } from './api/notifications.js';
import { queryClient } from './api/query-client.js';
import { accessToken } from './api/token.js';
import { toast } from './ui/toast.js';

function wordsOf(said: unknown): string {
  if (typeof said === 'string') return said;
  const message =
    typeof said === 'object' && said !== null && 'message' in said ? said.message : undefined;
  return typeof message === 'string' ? message : 'New order';
}

/**
 * Hears the seller's notices as they happen: shows each as a toast and has the unread ones read again. What was
 * missed while the line was down is read after each reconnect. Answers how to hang up.
 */
export function listen(sellerId: string): () => void {
  const socket = io({ auth: (give) => give({ token: accessToken() }), withCredentials: true });
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: unreadKey(sellerId) });
  socket.on('connect', () => {
    socket.emit(SOCKET_REGISTER, sellerId);
    readAgain();
  });
  socket.on(SOCKET_NOTIFICATION, (said: unknown) => {
    toast.info(wordsOf(said));
    readAgain();
  });
  return () => void socket.disconnect();
}
