import { send } from './client.js';
import type { Answer, Body } from './types.js';

export type ContactMessage = Required<Body<'sendEmail'>>;

/** @throws ApiError with `missingFields` or `emailError` in its body where the form is at fault */
export function sendMessage(message: ContactMessage): Promise<Answer<'sendEmail'>> {
  return send('POST', '/v1/email/sendEmail', { body: message });
}
