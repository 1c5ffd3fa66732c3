import type { Sealed } from '../sealed.js';

export interface SendMessage {
  readonly type: 'SendMessage';
  readonly contactId: string;
  readonly name: Sealed;
  readonly email: Sealed;
  readonly subject: Sealed;
  readonly message: Sealed;
  readonly at: string;
}
export type ContactCommand = SendMessage;
