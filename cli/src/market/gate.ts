import type { App, Middleware } from '@oja/http';
import compose from 'koa-compose';

const page = `<!doctype html>
<html lang="en-NG"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="2"><title>Oja is opening</title></head>
<body><h1>Oja is opening</h1><p>The market is being laid out. This page looks again every two seconds.</p></body></html>
`;

/** The door of a process that already listens: until it is opened everybody is asked to wait. */
export interface Gate {
  readonly middleware: Middleware;
  open(market: App): void;
}

export function createGate(): Gate {
  let inside: Middleware | null = null;
  return {
    middleware: (ctx, next) => {
      if (inside !== null) return inside(ctx, next);
      ctx.status = 503;
      ctx.set('Retry-After', '2');
      ctx.set('Cache-Control', 'no-store');
      if (ctx.accepts('html', 'json') === 'html') {
        ctx.type = 'html';
        ctx.body = page;
      } else {
        ctx.body = { success: false, message: 'Oja is opening. Please try again in a moment.' };
      }
      return undefined;
    },
    open(market) {
      inside = compose(market.middleware);
    },
  };
}
