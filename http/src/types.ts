import type Koa from 'koa';

/** What middleware shares about a request. */
export interface RequestState {
  correlationId: string;
  /** The client's address if a trusted proxy reports it, else the address of the connection. */
  clientAddress: string;
  /** The route pattern of the call, page or file; undefined when nothing matched. */
  route?: string;
  /** The id of the signed-in person, as `seller:<id>`; undefined when nobody is signed in. */
  actor?: string;
}

export type App = Koa<RequestState>;
export type Context = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;
