import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerOf, Calls } from '@oja/contracts';
import type { ProductDocument, StoreDocument } from '@oja/contracts/models';
import { fold, koboToNaira, limits, offeredSubcategories, searchWords } from '@oja/domain/rules';
import { type Clock, pause } from '@oja/platform';
import { ok, type QueryHandler, type Tools } from '../../deps.js';
import {
  ascending,
  type Collection,
  descending,
  equal,
  type Reader,
  versionOf,
} from '../../read-models.js';
import { type Addresses, isOpen, pictures } from '../../wire/goods.js';
import { filterOf, shown } from './search-products.js';
import { createVocabulary, type Vocabulary } from './vocabulary.js';

type Suggestions = AnswerOf<Calls['suggestProducts'], 200>;

/** Shelves and stores are looked for from so many letters on, and so many of each are told. */
const FEWEST_LETTERS = 2;
const MOST = 3;
const MOST_GOODS = 4;

/** Names are read so many in a turn of the loop, so that other requests come in between. */
const NAMES_A_READ = 500;
/** What was renamed or is gone is noted after so long, in milliseconds; what is new, at once. */
const REBUILD_MS = 10 * 60_000;
/** Whoever comes while the names are read for the first time waits so long, in milliseconds, and is told less. */
const FIRST_READ_WAIT_MS = 1_000;

interface Names {
  readonly words: Vocabulary;
  readonly stores: readonly { readonly sellerId: string; readonly key: string }[];
  readonly builtAt: number;
}

const noNames = (): Names => ({ words: createVocabulary(), stores: [], builtAt: 0 });

const storeKey = ({ sellerId, businessName }: StoreDocument) => ({
  sellerId,
  key: fold(businessName),
});

/**
 * The words of all names and the stores, in memory. A catalogue that has moved is read again behind the answer: the
 * newest goods at once, all of them now and then. What is told from here is looked up before it is offered, so a word
 * that has gone misleads nobody.
 */
function createNames(reader: Reader, clock: Clock) {
  let building: Promise<Names> | undefined;
  let known: Names | undefined;
  /** Of the catalogue, when it was last read. */
  let version: string | undefined;
  let renewing = false;

  async function build(): Promise<Names> {
    const catalogue = await reader.open('catalogue');
    const words = createVocabulary();
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Collection<ProductDocument>['find']>> = await catalogue
        .of('products')
        .find({
          filter: [shown],
          sort: ascending('nameKey'),
          limit: NAMES_A_READ,
          ...(cursor !== null && { cursor }),
        });
      for (const { document } of page.items) words.learn(document.nameKey);
      cursor = page.next;
      // An embedded engine answers in the same turn.
      await nextTurn();
    } while (cursor !== null);
    const stores = await catalogue.of('stores').find({});
    return {
      words,
      stores: stores.items.map(({ document }) => storeKey(document)),
      builtAt: clock.now(),
    };
  }

  async function renew(old: Names): Promise<Names> {
    if (clock.now() - old.builtAt >= REBUILD_MS) return build();
    const products = (await reader.open('catalogue')).of('products');
    const newest = await products.find({
      filter: [shown],
      sort: descending('listedAt'),
      limit: limits.page.size,
    });
    for (const { document } of newest.items) old.words.learn(document.nameKey);
    return old;
  }

  /** Whoever does not wait goes on without them. */
  async function firstNames(): Promise<Names> {
    building ??= build().then(
      (built) => {
        known = built;
        return built;
      },
      (error) => {
        building = undefined;
        throw error;
      },
    );
    const over = new AbortController();
    const waited = pause(FIRST_READ_WAIT_MS, over.signal).then(noNames);
    return Promise.race([building, waited]).finally(() => over.abort());
  }

  async function moveOn(old: Names): Promise<void> {
    try {
      known = await renew(old);
    } catch {
      // The next request tries again, once the catalogue has moved on.
    }
    renewing = false;
  }

  return async (): Promise<Names> => {
    const now = await versionOf(reader, 'catalogue');
    if (known === undefined) {
      version ??= now;
      return firstNames();
    }
    if (now !== version && !renewing) {
      renewing = true;
      version = now;
      void moveOn(known);
    }
    return known;
  };
}

const shelves = offeredSubcategories.map(({ id, name, category }) => ({
  id,
  name,
  category: category ?? '',
  words: fold(name).split(' '),
}));

/** Shelves of whose name every word is the beginning of one; a plural is its singular too. */
function shelvesNamed(words: readonly string[]) {
  const begins = (typed: string) => (word: string) =>
    word.startsWith(typed) || (typed.endsWith('s') && word === typed.slice(0, -1));
  return shelves
    .filter((shelf) => words.every((typed) => shelf.words.some(begins(typed))))
    .slice(0, MOST);
}

/** Every word in another form where it has one; null where none has. */
function inOtherForms(words: readonly string[], { otherForm }: Vocabulary): string | null {
  const forms = words.map((word) => otherForm(word) ?? word);
  return forms.some((form, at) => form !== words[at]) ? forms.join(' ') : null;
}

/** Every word that no name holds as its nearest; null where there is none to correct, or nothing near. */
function corrected(words: readonly string[], vocabulary: Vocabulary): string | null {
  const nearest = words.map((word) => (vocabulary.holds(word) ? word : vocabulary.nearest(word)));
  return nearest.includes(null) || nearest.every((word, at) => word === words[at])
    ? null
    : nearest.join(' ');
}

const suggested = (document: ProductDocument, images: Addresses) => ({
  product_id: document.productId,
  subcategory_id: document.subcategoryId,
  prod_name: document.name,
  price: koboToNaira(document.price),
  image_url: pictures(document, images)[0] ?? null,
});

/** Nothing here reads more than a few documents: the names are in memory. */
export function suggestProducts({ reader, clock, images }: Tools): QueryHandler<'suggestProducts'> {
  const namesOf = createNames(reader, clock);

  return async ({ query: { query = '' } }) => {
    const typed = searchWords(query, FEWEST_LETTERS);
    if (typed === null)
      return ok({
        success: true,
        goods: [],
        shelves: [],
        stores: [],
        did_you_mean: null,
        word_forms: null,
      });
    const [{ words, stores }, catalogue] = await Promise.all([namesOf(), reader.open('catalogue')]);
    const products = catalogue.of('products');
    const newest = (text: string, limit: number) =>
      products.find({ filter: filterOf({ query: text }), sort: descending('listedAt'), limit });
    const ifFound = async (text: string | null) => {
      if (text === null || searchWords(text) === null) return null;
      return (await newest(text, 1)).items.length === 0 ? null : text;
    };
    const counted = Promise.all(
      shelvesNamed(typed).map(async ({ id, name, category }) => ({
        subcategory_name: name,
        top_category: category,
        count: await products.count([shown, equal('subcategoryId', id)]),
      })),
    );
    const text = fold(query.trim());
    const named = stores.filter(({ key }) => key.includes(text)).slice(0, MOST);
    const found = await catalogue.of('stores').getMany(named.map(({ sellerId }) => sellerId));
    const open = found.filter(isOpen).filter((one) => !one.isSuspended && one.newest !== null);
    const isSearch = searchWords(query) !== null;
    const goods = isSearch ? (await newest(query, MOST_GOODS)).items : [];
    const forms = isSearch ? await ifFound(inOtherForms(typed, words)) : null;
    const meant = isSearch && forms === null ? await ifFound(corrected(typed, words)) : null;
    const answer: Suggestions = {
      success: true,
      goods: goods.map(({ document }) => suggested(document, images)),
      shelves: (await counted).filter(({ count }) => count > 0),
      stores: open.map(({ sellerId, businessName }) => ({ user_id: sellerId, businessName })),
      did_you_mean: meant,
      word_forms: forms,
    };
    return ok(answer);
  };
}
