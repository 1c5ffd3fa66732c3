import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  type AnswerOf,
  type BodyOf,
  defineCall,
  failure,
  type ParamsOf,
  refusalOf,
} from './call.js';
import { openApiDocument } from './openapi.js';
import { routeTable } from './route-table.js';

const ok = { 200: z.object({ success: z.literal(true) }) };
const rename = defineCall({
  name: 'rename',
  method: 'PUT',
  path: '/v1/things/:id',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  params: z.object({ id: z.string() }),
  body: z.strictObject({ name: z.string().trim() }),
  answers: ok,
});
const get = (name: string, path: `/${string}`) =>
  defineCall({ name, method: 'GET', path, owner: 'query-service', access: 'anyone', answers: ok });

describe('a call', () => {
  it('keeps the types of its schemas', () => {
    expectTypeOf<BodyOf<typeof rename>>().toEqualTypeOf<{ name: string }>();
    expectTypeOf<ParamsOf<typeof rename>>().toEqualTypeOf<{ id: string }>();
    expectTypeOf<AnswerOf<typeof rename, 200>>().toEqualTypeOf<{ success: true }>();
    expectTypeOf<BodyOf<ReturnType<typeof get>>>().toEqualTypeOf<undefined>();
  });

  it('refuses the suspended, keeps no cookie and takes JSON unless it says otherwise', () => {
    expect(rename).toMatchObject({ suspended: 'refused', actsOnCookie: false, bodyKind: 'json' });
    expect(get('one', '/v1/one').bodyKind).toBe('none');
  });

  it('fails with a message, whatever else it adds', () => {
    expect(failure.safeParse({ success: false, message: 'no', amount: 3 }).success).toBe(true);
    expect(failure.safeParse({ success: false }).success).toBe(false);
  });
});

describe('the route table', () => {
  const table = routeTable([
    get('one', '/v1/products/:id'),
    get('search', '/v1/products/search'),
    get('images', '/v1/products/:id/images'),
    rename,
  ]);
  const nameOf = (method: string, path: string) => {
    const found = table.find(method, path);
    return found.kind === 'found' ? found.call.name : found.kind;
  };

  it('lets a literal win over a parameter, in whatever order they are listed', () => {
    expect(nameOf('GET', '/v1/products/search')).toBe('search');
    expect(nameOf('GET', '/v1/products/7')).toBe('one');
    expect(nameOf('GET', '/v1/products/search/images')).toBe('images');
  });

  it('has the same order, in whatever order the calls are listed', () => {
    const paths = ['/v1/things', '/v1/things/:id', '/v1/:x', '/v1/things/all', '/v1'] as const;
    const listed = paths.map((path) => get(path, path));
    const orderOf = (calls: typeof listed) => routeTable(calls).calls.map(({ path }) => path);
    expect(orderOf([...listed].reverse())).toEqual(orderOf(listed));
  });

  it('decodes parameters, one segment each', () => {
    expect(table.find('GET', '/v1/products/a%2Fb%20c')).toMatchObject({ params: { id: 'a/b c' } });
    expect(nameOf('GET', '/v1/products/%E0%A4%A')).toBe('malformed');
  });

  it('tells an unknown path from a wrong method', () => {
    expect(nameOf('GET', '/v1_1/products/7')).toBe('unknown');
    expect(nameOf('GET', '/v1/products/')).toBe('unknown');
    expect(table.find('DELETE', '/v1/things/7')).toEqual({ kind: 'other-method', allow: ['PUT'] });
    expect(nameOf('HEAD', '/v1/products/7')).toBe('one');
  });

  it('is not made when two calls claim the same place', () => {
    expect(() => routeTable([get('a', '/v1/:x'), get('b', '/v1/:y')])).toThrow('both claim');
  });
});

describe('access', () => {
  const actor = (role: 'seller' | 'sub-admin' | 'head-admin', suspended = false) => ({
    sellerId: 's',
    role,
    suspended,
  });
  const call = (access: 'seller' | 'sub-admin' | 'head-admin' | 'anyone') => ({
    access,
    suspended: 'refused' as const,
  });

  it('asks nobody to log in for what anyone may do', () => {
    expect(refusalOf(call('anyone'), null)).toBeNull();
    expect(refusalOf(call('seller'), null)?.status).toBe(401);
  });

  it('tells the suspended what is left to them', () => {
    expect(refusalOf(call('seller'), actor('seller', true))?.message).toBe(
      'Your account is suspended: you can look but not change anything',
    );
    for (const access of ['sub-admin', 'head-admin'] as const)
      expect(refusalOf(call(access), actor(access, true))?.message).toBe(
        'Your account is suspended: you are no admin until it is open again',
      );
  });

  it('lets higher roles do what lower ones may, and not the other way round', () => {
    expect(refusalOf(call('sub-admin'), actor('head-admin'))).toBeNull();
    expect(refusalOf(call('head-admin'), actor('sub-admin'))?.status).toBe(403);
    expect(refusalOf(call('sub-admin'), actor('seller'))?.status).toBe(403);
  });

  it('lets the suspended do only what says so', () => {
    expect(refusalOf(call('seller'), actor('seller', true))?.message).toContain('suspended');
    expect(refusalOf({ access: 'seller', suspended: 'allowed' }, actor('seller', true))).toBeNull();
  });
});

describe('the OpenAPI document', () => {
  const document = openApiDocument([rename], '1');

  it('has each call, with its parameters, body and failures', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/v1/things/{id}': {
          put: {
            operationId: 'rename',
            parameters: [{ name: 'id', in: 'path', required: true }, { name: 'Idempotency-Key' }],
            requestBody: {
              content: { 'application/json': { schema: { additionalProperties: false } } },
            },
            responses: { '200': {}, '4XX': { $ref: '#/components/responses/Failure' } },
            security: [{ accessToken: [] }],
          },
        },
      },
    });
  });
});
