import type { AnswerOf, BodyOf, CallName, Calls, QueryOf } from '@oja/contracts';
import type { ParamsIn } from '@oja/contracts/pages';

/** The documents on the wire, as contracts describe them. */
export type {
  Bars,
  Comment,
  Earnings,
  Facets,
  News,
  Notification,
  Order,
  OrderLine,
  OwnProduct,
  Payout,
  Product,
  Profile,
  Sale,
  SaleWithHistory,
  Settings,
  SoldInPeriod,
  Store,
  TimelineEntry,
  Transaction,
  UserDetails,
} from '@oja/contracts';

/** What a call answers with 2xx. */
export type Answer<Name extends CallName> = AnswerOf<Calls[Name], keyof Calls[Name]['answers']>;
/** What a call takes as its body. */
export type Body<Name extends CallName> = BodyOf<Calls[Name]>;
/** What a call may be narrowed by; what is left out or undefined does not narrow. */
export type Query<Name extends CallName> =
  QueryOf<Calls[Name]> extends undefined
    ? undefined
    : { readonly [Key in keyof QueryOf<Calls[Name]>]?: string | number | undefined };
/** The open segments of a call's path, not yet encoded. */
export type PathParams<Name extends CallName> = Readonly<
  Record<ParamsIn<Calls[Name]['path']>, string>
>;
export type { CallName };
