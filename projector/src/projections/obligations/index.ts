import { obligations as model, type ObligationsCollections } from '@oja/contracts/models';
import {
  businessNameEvents,
  contactEvents,
  keySubject,
  operationsEvents,
  sellerEvents,
  transactionEvents,
} from '@oja/domain';
import { define, pick, put } from '../define.js';
import { isTakenEvent, projectGoods, takenEvents } from './goods.js';
import {
  isNameEvent,
  keyToDestroy,
  projectName,
  putDue,
  readsOfKey,
  readsOfName,
} from './kinds.js';
import { projectOrder, readsOfGoods, readsOfOrder } from './orders.js';

const { DeliveryNotYet: _, DisputeResolved: __, ...orderEvents } = transactionEvents;

/**
 * What the market still owes to do. Services sweep over it and do what is due, so that nothing
 * depends on a queue or on a process living long enough.
 */
export const obligations = define<ObligationsCollections>()({
  model,
  scope: 'stream',
  schemas: {
    ...orderEvents,
    ...takenEvents,
    ...businessNameEvents,
    ...contactEvents,
    ...pick(
      sellerEvents,
      'SellerRegistered',
      'SellerProfileUpdated',
      'SellerEmailAsked',
      'SellerEmailConfirmed',
      'SellerEmailRemoved',
      'SellerLettersSwitched',
      'PayoutAccountSet',
      'SellerPasswordChanged',
      'SellerPasswordReset',
    ),
    ...pick(operationsEvents, 'SubjectErased'),
  },
  reads({ event }) {
    if (isNameEvent(event)) return readsOfName(event);
    if (isTakenEvent(event)) return readsOfGoods(event.data.transactionId);
    if (event.type === 'SubjectErased') return readsOfKey(event.data.subject);
    if (!('transactionId' in event.data)) return [];
    const order = readsOfOrder(event.data.transactionId);
    return event.type === 'BuyerRecordRemoved'
      ? [...order, ...readsOfKey(keySubject('transaction', event.data.transactionId))]
      : order;
  },
  project({ event, id, position, at }, documents) {
    if (isNameEvent(event)) return projectName(event, at, position, documents);
    if (isTakenEvent(event)) return projectGoods(event, position, documents);
    switch (event.type) {
      case 'SubjectErased':
        return [keyToDestroy(event.data.subject, position, documents)];
      case 'SellerEmailAsked': {
        const { sellerId, ask } = event.data;
        return [putDue('email-code', `${sellerId}/${ask}`, { due: at, position })];
      }
      // Whether there was an address before is known when the letter is written.
      case 'SellerEmailConfirmed':
      case 'SellerEmailRemoved':
        return [putDue('address-left', `${event.data.sellerId}/${id}`, { due: at, position })];
      case 'SellerLettersSwitched':
        return event.data.on ? [] : [warning(event.data.sellerId, id, at, position)];
      // So is whether there was a bank account before.
      case 'PayoutAccountSet':
      case 'SellerPasswordChanged':
      case 'SellerPasswordReset':
        return [warning(event.data.sellerId, id, at, position)];
      case 'ContactMessageReceived': {
        const { contactId, ...message } = event.data;
        return [
          put('contacts', contactId, message),
          putDue('contact', contactId, { due: message.at, position }),
        ];
      }
      default:
        return projectOrder(event, { id, at, position }, documents);
    }
  },
});

const warning = (sellerId: string, eventId: string, at: string, position: string) =>
  putDue('seller-warning', `${sellerId}/${eventId}`, { due: at, position });
