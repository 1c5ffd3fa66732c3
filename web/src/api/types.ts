import type { AnswerOf, BodyOf, CallName, Calls, QueryOf } from '@oja/contracts';
import type { ParamsIn } from '@oja/contracts/pages';

/** The documents on the wire, as the contracts describe them. */
export type {
  Bars,
  Comment,
  Facets,
  News,
  Notification,
  Order,
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

/** The body of a call's 2xx answer. */
export type Answer<Name extends CallName> = AnswerOf<Calls[Name], keyof Calls[Name]['answers']>;
/** The request body of a call. */
export type Body<Name extends CallName> = BodyOf<Calls[Name]>;
/** A list is one text in the address, its entries separated by commas. */
type QueryValue<Value> = Value extends readonly string[] ? string : Value;
/** The query parameters of a call. One that is left out or undefined is not sent. */
export type Query<Name extends CallName> =
  QueryOf<Calls[Name]> extends undefined
    ? undefined
    : {
        readonly [Key in keyof QueryOf<Calls[Name]>]?:
          | QueryValue<QueryOf<Calls[Name]>[Key]>
          | undefined;
      };
/** The path parameters of a call, not yet URL-encoded. */
export type PathParams<Name extends CallName> = Readonly<
  Record<ParamsIn<Calls[Name]['path']>, string>
>;
export type { CallName };
