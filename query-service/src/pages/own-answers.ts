import { randomUUID } from 'node:crypto';
import { calls, callsOf, routeTable } from '@oja/contracts';
import type { QueryHandlers } from '../calls/index.js';
import type { OwnAnswers } from './renderer.js';

/** A request that came from nowhere: whoever a page is rendered for is not known. */
const fromNobody = () => ({
  body: undefined,
  actor: null,
  notRecognised: null,
  commandId: randomUUID(),
  correlationId: randomUUID(),
  clientAddress: '',
  left: new AbortController().signal,
  position: null,
  cookie: () => undefined,
  header: () => undefined,
});

type Answer = Awaited<ReturnType<QueryHandlers['searchProducts' | 'getProduct' | 'getStore']>>;

function responseOf(answer: Answer): Response {
  if ('failed' in answer) {
    const { status, message } = answer.failed;
    return Response.json({ success: false, message }, { status });
  }
  return Response.json(answer.body, { status: answer.status });
}

/** The calls that public pages make, answered without a way through the network; any other is not there. */
export function createOwnAnswers(handlers: QueryHandlers): OwnAnswers {
  const table = routeTable(callsOf(calls, 'query-service'));

  return async (asked) => {
    const { pathname, searchParams } = new URL(asked, 'http://oja.invalid');
    const found = table.find('GET', pathname);
    const unknown = Response.json({ success: false }, { status: 404 });
    if (found.kind !== 'found') return unknown;
    const { name } = found.call;
    const request = fromNobody();
    if (name === 'searchProducts') {
      const query = calls.searchProducts.query.parse(Object.fromEntries(searchParams));
      return responseOf(await handlers[name]({ ...request, params: undefined, query }));
    }
    if (name === 'getProduct') {
      const params = calls.getProduct.params.parse(found.params);
      return responseOf(await handlers[name]({ ...request, params, query: undefined }));
    }
    if (name === 'getStore') {
      const params = calls.getStore.params.parse(found.params);
      return responseOf(await handlers[name]({ ...request, params, query: undefined }));
    }
    return unknown;
  };
}
