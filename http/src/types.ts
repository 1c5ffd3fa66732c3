import type Koa from 'koa';

/** What the middlewares tell each other about a request. */
export interface RequestState {
  correlationId: string;
  /** Of the client itself where a trusted proxy says so, else of whoever is connected. */
  clientAddress: string;
  /** The pattern of the call, page or file that answers; undefined where none does. */
  route?: string;
  /** Who is signed in, by an id: `seller:<id>`; undefined where nobody is known to be. */
  actor?: string;
}

export type App = Koa<RequestState>;
export type Context = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;
