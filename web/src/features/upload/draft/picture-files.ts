const DATABASE = 'oja-upload';
const STORE = 'pictures';

/** What this tab has seen, so that nothing is read twice and a browser without a database still works. */
const known = new Map<string, Blob>();

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The database did not answer'));
  });
}

let opening: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    if (typeof indexedDB === 'undefined') return reject(new Error('No database here'));
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    settled(request).then(resolve, reject);
  });
  return opening;
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await database()).transaction(STORE, mode).objectStore(STORE);
}

/** Keeps a picture's bytes; when the browser refuses, as long as the tab lives. */
export async function keepPicture(id: string, picture: Blob): Promise<void> {
  known.set(id, picture);
  try {
    await settled((await store('readwrite')).put(picture, id));
  } catch {
    // Full or forbidden: this tab still knows it.
  }
}

/** The bytes of a picture; undefined when they are gone. */
export async function pictureOf(id: string): Promise<Blob | undefined> {
  const here = known.get(id);
  if (here !== undefined) return here;
  try {
    const found: unknown = await settled((await store('readonly')).get(id));
    if (!(found instanceof Blob)) return undefined;
    known.set(id, found);
    return found;
  } catch {
    return undefined;
  }
}

export function forgetPictures(ids: readonly string[]): void {
  for (const id of ids) known.delete(id);
  store('readwrite').then(
    (pictures) => {
      for (const id of ids) pictures.delete(id);
    },
    () => {
      // Nothing is kept where there is no database.
    },
  );
}
