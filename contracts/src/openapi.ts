import { z } from 'zod';
import { type Call, failure } from './call.js';
import { IDEMPOTENCY_HEADER, POSITION_HEADER } from './wire.js';

type Json = Readonly<Record<string, unknown>>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
};

/** One OpenAPI parameter per property of an object schema. */
function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(property, undefined).success,
    schema: schemaOf(property, 'input'),
  }));
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

const mediaTypes = {
  json: 'application/json',
  raw: 'application/octet-stream',
} as const;

function requestBodyOf(call: Call): Json {
  if (call.bodyKind === 'none') return {};
  const schema = call.body === undefined ? {} : schemaOf(call.body, 'input');
  return {
    requestBody: { required: true, content: { [mediaTypes[call.bodyKind]]: { schema } } },
  };
}

function operationOf(call: Call): Json {
  const answers = Object.entries(call.answers).map(([status, schema]) => [
    status,
    {
      description: `Answer ${status}`,
      content: { 'application/json': { schema: schemaOf(schema, 'output') } },
    },
  ]);
  const failed = { $ref: '#/components/responses/Failure' };
  const signedIn = ['seller', 'sub-admin', 'head-admin'].includes(call.access);
  return {
    operationId: call.name,
    'x-owner': call.owner,
    'x-access': call.access,
    parameters: [
      ...parametersOf(call.params, 'path'),
      ...parametersOf(call.query, 'query'),
      ...(call.idempotent
        ? [header(IDEMPOTENCY_HEADER, 'Repeating a call with the same key does it once.')]
        : []),
      ...(call.reads.length > 0
        ? [header(POSITION_HEADER, 'Waits until the answer includes this position.')]
        : []),
    ],
    ...requestBodyOf(call),
    responses: { ...Object.fromEntries(answers), '4XX': failed, '5XX': failed },
    ...(signedIn ? { security: [{ accessToken: [] }] } : {}),
  };
}

/** The OpenAPI 3.1 document of the calls. `version` is the release's. */
export function openApiDocument(calls: readonly Call[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Oja', version },
    paths,
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      responses: {
        Failure: {
          description: 'Why the call was refused or failed',
          content: { 'application/json': { schema: schemaOf(failure, 'output') } },
        },
      },
    },
  };
}
