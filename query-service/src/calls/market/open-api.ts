import { calls, openApiDocument } from '@oja/contracts';
import { ok, type QueryHandler, type Tools } from '../handler.js';

/** Made once: the table does not change while the process runs. */
export const openApi = ({ version }: Tools): QueryHandler<'openApi'> => {
  const document = { openapi: '3.1.0', ...openApiDocument(Object.values(calls), version) };
  return () => ok(document);
};
