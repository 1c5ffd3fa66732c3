import type { ContactEvent } from './events.js';

export type ContactState = { readonly status: 'none' | 'received' };
export const noContact: ContactState = { status: 'none' };

export function evolveContact(_: ContactState, event: ContactEvent): ContactState {
  switch (event.type) {
    case 'ContactMessageReceived':
      return { status: 'received' };
  }
}
