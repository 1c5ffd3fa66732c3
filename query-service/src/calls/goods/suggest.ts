import type { AnswerOf, Calls } from '@oja/contracts';
import type { ProductDocument, StoreDocument } from '@oja/contracts/models';
import {
  fold,
  koboToNaira,
  limits,
  offeredSubcategories,
  SUGGESTIONS_MIN_LENGTH,
  searchWords,
} from '@oja/domain/rules';
import { type Clock, createLazy, isWithin, withTimeLimit } from '@oja/platform';
import { ok, type QueryHandler, type Tools } from '../../deps.js';
import { ascending, descending, equal, type Reader, versionOf } from '../../read-models.js';
import { type Addresses, isOpen, type OpenStore, pictures } from '../../wire/goods.js';
import { filterOf, shown } from './search-products.js';
import { bareWord, createVocabulary, type Vocabulary } from './vocabulary.js';

type Suggestions = AnswerOf<Calls['suggestProducts'], 200>;

/** The most shelves, and the most stores, that are suggested. */
const MAX_SHELVES_AND_STORES = 3;
const MAX_GOODS = 4;
/** Of the stores whose names have what was typed, so many are read at once, and at most. */
const STORES_AT_ONCE = 20;
const MAX_STORES_READ = 400;

/**
 * How often all names are read again, in milliseconds. Until then goods that were renamed or
 * removed are not noticed; new goods and their stores are noticed at once.
 */
const REBUILD_MS = 10 * 60_000;
/** Pages of the newest goods that are read after each other. Where more were listed at once, all names are read again. */
const MAX_PAGES = 10;
/** How long a request waits for the first read of all names, in milliseconds. Then it is answered without them. */
const FIRST_READ_WAIT_MS = 1_000;

interface NameIndex {
  readonly words: Vocabulary;
  /** Ids of the goods whose words are known, so that none is counted twice. */
  readonly indexedProducts: Set<string>;
  /** The folded name of each store, by seller id. */
  readonly stores: Map<string, string>;
  readonly builtAt: number;
}

const emptyNameIndex = (builtAt = 0): NameIndex => ({
  words: createVocabulary(),
  indexedProducts: new Set(),
  stores: new Map(),
  builtAt,
});

function addProduct(
  { words, indexedProducts }: NameIndex,
  { productId, nameKey }: ProductDocument,
): void {
  if (indexedProducts.has(productId)) return;
  indexedProducts.add(productId);
  words.add(nameKey);
}

const addStore = (
  { stores }: NameIndex,
  { sellerId, businessName }: Pick<StoreDocument, 'sellerId' | 'businessName'>,
) => stores.set(sellerId, fold(businessName));

/**
 * The words of all product names, and the stores, in memory. When the catalogue has changed, it is
 * read again in the background: what was listed since at once, everything now and then. Suggestions are
 * looked up in the store before they are offered, so an outdated word misleads nobody.
 */
function createNameIndex(reader: Reader, clock: Clock) {
  let known: NameIndex | undefined;
  /** The version of the catalogue when it was last read. */
  let version: string | undefined;
  let renewing = false;

  async function build(): Promise<NameIndex> {
    const catalogue = await reader.open('catalogue');
    const names = emptyNameIndex(clock.now());
    const byName = { filter: [shown], sort: ascending('nameKey') };
    for await (const { document } of catalogue.of('products').each(byName))
      addProduct(names, document);
    for await (const { document } of catalogue.of('stores').each({})) addStore(names, document);
    return names;
  }

  async function renew(old: NameIndex): Promise<NameIndex> {
    if (!isWithin(REBUILD_MS, old.builtAt, clock.now())) return build();
    const products = (await reader.open('catalogue')).of('products');
    const sort = descending('listedAt');
    let read = 0;
    for await (const newest of products.pages({ filter: [shown], sort, limit: limits.page.size })) {
      const isNews = newest.some(({ document }) => !old.indexedProducts.has(document.productId));
      for (const { document } of newest) {
        addProduct(old, document);
        addStore(old, document);
      }
      if (!isNews) break;
      read += 1;
      if (read === MAX_PAGES) return build();
    }
    return old;
  }

  const firstNames = createLazy(async () => {
    known = await build();
    return known;
  });

  async function refresh(old: NameIndex): Promise<void> {
    try {
      known = await renew(old);
    } catch {
      // Keep the old names. A request after the next change of the catalogue tries again.
    }
    renewing = false;
  }

  return async (): Promise<NameIndex> => {
    const now = await versionOf(reader, 'catalogue');
    if (known === undefined) {
      version ??= now;
      // A caller who has waited too long gets no names.
      return withTimeLimit(FIRST_READ_WAIT_MS, firstNames.get(), emptyNameIndex());
    }
    if (now !== version && !renewing) {
      renewing = true;
      version = now;
      void refresh(known);
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

/** Shelves in whose name each typed word begins a word; a typed plural also matches its singular. */
function findShelves(words: readonly string[]) {
  const begins = (typed: string) => (word: string) =>
    word.startsWith(typed) || (typed.endsWith('s') && word === typed.slice(0, -1));
  return shelves
    .filter((shelf) => words.every((typed) => shelf.words.some(begins(typed))))
    .slice(0, MAX_SHELVES_AND_STORES);
}

/** The words, each in its other form if it has one; null when none has. */
function withOtherForms(words: readonly string[], { otherForm }: Vocabulary): string | null {
  const forms = words.map((word) => otherForm(bareWord(word)) ?? word);
  return forms.some((form, at) => form !== words[at]) ? forms.join(' ') : null;
}

/**
 * So many unknown words are looked up at most: each is compared with all words, of which anybody who lists goods can
 * make many, and nobody mistypes more.
 */
const MAX_CORRECTED = 3;

/** The words that no name contains; null when they are too many to be corrected. */
function unknownWords(words: readonly string[], { holds }: Vocabulary): ReadonlySet<string> | null {
  const unknown = new Set<string>();
  for (const word of words) {
    if (!holds(word)) unknown.add(word);
    if (unknown.size > MAX_CORRECTED) return null;
  }
  return unknown;
}

/** The same function, which is not called again for a word that it was called for. */
function lookedUpOnce(look: (word: string) => string | null): typeof look {
  const found = new Map<string, string | null>();
  return (word) => {
    if (!found.has(word)) found.set(word, look(word));
    return found.get(word) ?? null;
  };
}

/**
 * The words, each unknown one replaced; null when nothing stands for an unknown one, or the text is the one that was
 * typed.
 */
function correctWords(
  words: readonly string[],
  unknown: ReadonlySet<string>,
  replaced: (word: string) => string | null,
  typed: string,
): string | null {
  const meant = words.map((word) => (unknown.has(word) ? replaced(word) : word));
  const text = meant.join(' ');
  return meant.includes(null) || text === typed ? null : text;
}

const toSuggestion = (document: ProductDocument, images: Addresses) => ({
  product_id: document.productId,
  subcategory_id: document.subcategoryId,
  prod_name: document.name,
  price: koboToNaira(document.price),
  image_url: pictures(document, images)[0] ?? null,
});

/** Reads only a few documents for each request, since the names are in memory. */
export function suggestProducts({ reader, clock, images }: Tools): QueryHandler<'suggestProducts'> {
  const namesOf = createNameIndex(reader, clock);

  return async ({ query: { query = '' } }) => {
    const typed = searchWords(query, SUGGESTIONS_MIN_LENGTH);
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
    const countedShelves = () =>
      Promise.all(
        findShelves(typed).map(async ({ id, name, category }) => ({
          subcategory_name: name,
          top_category: category,
          count: await products.count([shown, equal('subcategoryId', id)]),
        })),
      );
    const openStores = async () => {
      const text = fold(query.trim());
      const named: string[] = [];
      for (const [sellerId, key] of stores) {
        if (key.includes(text)) named.push(sellerId);
        if (named.length === MAX_STORES_READ) break;
      }
      const open: OpenStore[] = [];
      // Most sellers who have registered list nothing.
      for (
        let from = 0;
        from < named.length && open.length < MAX_SHELVES_AND_STORES;
        from += STORES_AT_ONCE
      ) {
        const some = named.slice(from, from + STORES_AT_ONCE);
        const found = await catalogue.of('stores').getMany(some);
        open.push(...found.filter(isOpen).filter((one) => !one.isSuspended && one.newest !== null));
      }
      return open.slice(0, MAX_SHELVES_AND_STORES);
    };
    const goodsAndMeant = async () => {
      if (searchWords(query) === null) return { goods: [], forms: null, meant: null };
      const { items: goods } = await newest(query, MAX_GOODS);
      const forms = await ifFound(withOtherForms(typed, words));
      // What was found has each word, also one that is newer than the words in memory.
      const isFound = forms !== null || goods.length > 0;
      return { goods, forms, meant: isFound ? null : await correction() };
    };
    const correction = async () => {
      // Words of nothing but signs are left out.
      const bare = typed.map(bareWord).filter((word) => word !== '');
      const unknown = unknownWords(bare, words);
      if (unknown === null) return null;
      const nearest = lookedUpOnce(words.nearest);
      const correct = (replaced: (word: string) => string | null) =>
        correctWords(bare, unknown, replaced, typed.join(' '));
      const byForms = correct((word) => words.otherForm(word) ?? nearest(word));
      const found = await ifFound(byForms);
      if (found !== null) return found;
      const byNearest = correct((word) => nearest(word) ?? words.otherForm(word));
      return byNearest === byForms ? null : ifFound(byNearest);
    };
    // Together: if one read fails, the others must not fail with nobody waiting for them.
    const [counted, open, { goods, forms, meant }] = await Promise.all([
      countedShelves(),
      openStores(),
      goodsAndMeant(),
    ]);
    const answer: Suggestions = {
      success: true,
      goods: goods.map(({ document }) => toSuggestion(document, images)),
      shelves: counted.filter(({ count }) => count > 0),
      stores: open.map(({ sellerId, businessName }) => ({ user_id: sellerId, businessName })),
      did_you_mean: meant,
      word_forms: forms,
    };
    return ok(answer);
  };
}
