import type { AnswerOf, BodyOf, CallName, Calls } from '@oja/contracts';

/** The documents on the wire, as contracts describe them. */
export type {
  Bars,
  Comment,
  Earnings,
  Facets,
  Notification,
  Order,
  OrderLine,
  OwnProduct,
  Product,
  Profile,
  Settings,
  Store,
  TimelineEntry,
  Transaction,
  UserDetails,
} from '@oja/contracts';

/** What a call answers with 2xx: `get<Answer<'getStore'>>(…)`. */
export type Answer<Name extends CallName> = AnswerOf<Calls[Name], keyof Calls[Name]['answers']>;
/** What a call takes as its body. */
export type Body<Name extends CallName> = BodyOf<Calls[Name]>;
