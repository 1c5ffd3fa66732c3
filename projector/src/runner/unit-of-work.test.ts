import { createMemoryDocuments, createMemoryDocumentsData } from '@oja/platform';
import { expect, it } from 'vitest';
import { createUnitOfWork, type UnitOfWork } from './unit-of-work.js';

const things = 'things';
const indexes = [{ kind: 'equality', fields: ['owner'] }] as const;

async function stored(owners: Readonly<Record<string, string>>) {
  const documents = createMemoryDocuments(createMemoryDocumentsData());
  await documents.ensure([{ name: things, indexes }]);
  await documents.commit(
    Object.entries(owners).map(([id, owner]) => ({
      type: 'put',
      collection: things,
      id,
      document: { owner },
    })),
  );
  return documents;
}

const key = (value: string) => ({ collection: things, where: { field: 'owner', value } });
const of = (unitOfWork: UnitOfWork, owner: string) =>
  unitOfWork.find(things, 'owner', owner).map(({ id }) => id);
const put = (id: string, owner: string) =>
  ({ type: 'put', collection: things, id, document: { owner } }) as const;
const remove = (id: string) => ({ type: 'delete', collection: things, id }) as const;

it('finds by a value what has it after each change, however often it came and went', async () => {
  const unitOfWork = createUnitOfWork(
    await stored({ b: 'ada', c: 'ada', d: 'bisi' }),
    (name) => name,
  );
  unitOfWork.apply([put('e', 'ada')]);
  await unitOfWork.load([key('ada'), key('bisi')]);
  expect(of(unitOfWork, 'ada')).toEqual(['b', 'c', 'e']);
  unitOfWork.apply([put('b', 'bisi'), remove('c'), put('a', 'ada')]);
  expect(of(unitOfWork, 'ada')).toEqual(['a', 'e']);
  expect(of(unitOfWork, 'bisi')).toEqual(['b', 'd']);
  unitOfWork.apply([put('b', 'ada'), put('c', 'ada'), remove('d')]);
  expect(of(unitOfWork, 'ada')).toEqual(['a', 'b', 'c', 'e']);
  expect(of(unitOfWork, 'bisi')).toEqual([]);
});

it('finds what the batch before has changed, whether or not the store has it yet', async () => {
  const documents = await stored({ a: 'ada', b: 'ada', c: 'bisi' });
  const before = createUnitOfWork(documents, (name) => name);
  before.apply([put('a', 'bisi'), remove('b'), put('c', 'ada'), put('d', 'ada')]);
  const expectFound = async () => {
    const unitOfWork = createUnitOfWork(documents, (name) => name, before.changed);
    await unitOfWork.load([key('ada'), key('bisi')]);
    expect(of(unitOfWork, 'ada')).toEqual(['c', 'd']);
    expect(of(unitOfWork, 'bisi')).toEqual(['a']);
  };
  await expectFound();
  await documents.commit(before.operations());
  await expectFound();
});

it('asks for a value thousands of times in a long batch at little cost', async () => {
  const owners = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`${at}`, `o${at}`]));
  let read = 0;
  const counted = (owner: string) => ({
    get owner() {
      read += 1;
      return owner;
    },
  });
  const unitOfWork = createUnitOfWork(await stored({}), (name) => name);
  await unitOfWork.load(Object.values(owners).map(key));
  for (const [id, owner] of Object.entries(owners)) {
    unitOfWork.apply([{ type: 'put', collection: things, id, document: counted(owner) }]);
    expect(of(unitOfWork, owner)).toEqual([id]);
  }
  // A few looks at each document; not at each of them for each question.
  expect(read).toBeLessThan(10 * Object.keys(owners).length);
});
