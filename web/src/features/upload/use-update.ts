import { productPath } from '@oja/contracts/pages';
import { raisedPriceNaira, stateOf } from '@oja/domain/rules';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/error.js';
import { isSurelyUndone } from '../../api/failures.js';
import {
  applyStockConflict,
  ownProductQuery,
  reloadGoods,
  updateProduct,
} from '../../api/own-products.js';
import { queryClient } from '../../api/query-client.js';
import type { Body, OwnProduct } from '../../api/types.js';
import { toast } from '../../ui/toast.js';
import { productQuery } from '../product/product-data.js';
import { type Album, emptyAlbum, listedPicture, pendingMarks, usePendingMarks } from './album.js';
import {
  changeEdits,
  type Edits,
  editedAlbum,
  getEdits,
  isSentCount,
  noteSentCount,
  PICTURES,
  parsePictures,
  rebaseStock,
  rebaseUntouchedStock,
  STOCK_WAS,
  stockBaseline,
  useEdits,
  withoutStockNotes,
} from './edits.js';
import {
  allProductFields,
  currentValue,
  FIELDS_MISSING,
  type Problems,
  picturesProblem,
  priceProblem,
  stockChangedText,
  stockProblem,
  toToastTitle,
  toWireField,
} from './fields.js';
import {
  clearStep,
  isRunning,
  setStep,
  type UploadStep,
  useNavigateWhenDone,
  useUploadStep,
} from './progress.js';
import { forgetAddresses, sendPictures } from './send.js';

/** The one field for state and local government. */
export const PLACE = 'place';
export const PRICE = 'price';

const noProblems: Problems = {};

/**
 * The change of a seller's product: its ticked fields with what is wrong with them, the way to send them, and its
 * progress.
 * @param onWrong called when the fields are not sent, or are refused
 */
export function useUpdate(product: OwnProduct, onWrong: () => void) {
  const id = product.product_id;
  const edits = useEdits(id);
  const album = editedAlbum(id);
  const coming = usePendingMarks(album);
  const [isTried, setIsTried] = useState(false);
  const [refused, setRefused] = useState(noProblems);
  const step = useUploadStep(id);
  const navigateOn = useNavigateWhenDone(id, productPath(product));
  const problems = isTried
    ? { ...refused, ...validateEdits(product, edits, coming.length) }
    : noProblems;
  const count = currentValue(product, 'stock');
  useEffect(() => changeEdits(id, (now) => rebaseUntouchedStock(now, count)), [id, count]);
  const setEdit = (name: string, value: string) =>
    changeEdits(id, (now) => ({ ...now, [name]: value }));
  const toggleEdit = (name: string) => {
    if (name === PICTURES) emptyAlbum(album);
    changeEdits(id, ({ [name]: open, ...others }) => {
      if (open !== undefined) return name === 'stock' ? withoutStockNotes(others) : others;
      const start = initialEdit(product, name);
      return { ...others, [name]: start, ...(name === 'stock' && { [STOCK_WAS]: start }) };
    });
  };

  const show = (now: UploadStep) => setStep(id, now);
  /** What was typed stays, and is sent over the new count when it is pressed again. */
  const showNewCount = (now: string) => {
    changeEdits(id, (edits) => rebaseStock(edits, now));
    setRefused({ stock: stockChangedText(now) });
  };

  const showRefusal = (error: unknown) => {
    const newCount = applyStockConflict(id, error);
    if (newCount !== undefined) showNewCount(String(newCount ?? ''));
    else setRefused(error instanceof ApiError ? error.errors : noProblems);
  };

  const update = async () => {
    setIsTried(true);
    setRefused(noProblems);
    if (isRunning(id)) return;
    changeEdits(id, (edits) => rebaseUntouchedStock(edits, count));
    const now = getEdits(id);
    const wrong = validateEdits(product, now, pendingMarks(album).length);
    const before = stockBaseline(now);
    const isOutdated = wrong.stock === undefined && before !== undefined && before !== count;
    if (isOutdated) showNewCount(count);
    if (isOutdated || Object.keys(wrong).length > 0) return onWrong();
    setStep(id, null);
    try {
      const imageUrls = now[PICTURES] === undefined ? undefined : await sendPictures(album, show);
      const body = toUpdateBody(product, now, imageUrls);
      const message = await sendUpdate(id, body);
      const newer = newerEdits(getEdits(id), now, body);
      if (arePicturesSent(album, imageUrls)) delete newer[PICTURES];
      if (newer[PICTURES] === undefined) emptyAlbum(album);
      changeEdits(id, () => newer);
      await reloadGoods();
      await refreshCachedProduct(id);
      setStep(id, null);
      // Last: while the bar covers the page, no message outside of it is announced or can be reached.
      toast.success(message);
      if (Object.keys(getEdits(id)).length === 0) navigateOn();
      else setIsTried(false);
    } catch (error) {
      console.error(error);
      forgetAddresses(album, error);
      showRefusal(error);
      // It may be saved, or removed elsewhere.
      void reloadGoods();
      toast.error('something went wrong! Try again.', toToastTitle(error));
      onWrong();
    } finally {
      clearStep(id);
    }
  };
  return { edits, album, problems, step, setEdit, toggleEdit, update };
}

/** Gives the product's page, which is not on screen and would show what it has kept, the product as it is now. */
async function refreshCachedProduct(productId: string): Promise<void> {
  try {
    const own = await queryClient.fetchQuery(ownProductQuery(productId));
    if (own !== null) queryClient.setQueryData(productQuery(productId).queryKey, own);
  } catch {
    // The page reads it again by itself.
  }
}

/** Records the count that was sent if it is unknown whether it was saved. @throws ApiError */
async function sendUpdate(productId: string, body: Body<'updateProduct'>): Promise<string> {
  try {
    return await updateOverSentCount(productId, body);
  } catch (error) {
    const { stock } = body;
    if (stock !== undefined && !isSurelyUndone(error))
      changeEdits(productId, (edits) => noteSentCount(edits, String(stock ?? '')));
    throw error;
  }
}

/** If the count of an earlier try was saved, whose answer was lost, that count becomes the baseline. @throws ApiError */
async function updateOverSentCount(
  productId: string,
  body: Body<'updateProduct'>,
): Promise<string> {
  try {
    return await updateProduct(productId, body);
  } catch (error) {
    const count = applyStockConflict(productId, error);
    if (count === undefined || !isSentCount(getEdits(productId), String(count ?? ''))) throw error;
    return updateProduct(productId, { ...body, stock_was: count });
  }
}

/** A field's current value, from which its edit starts; for the price, the figure the seller typed. */
function initialEdit(product: OwnProduct, name: string): string {
  if (name === PLACE) return product.local_govt;
  if (name === PRICE) return String(product.seller_price);
  if (name === PICTURES) return JSON.stringify(product.image_urls.map(listedPicture));
  const field = allProductFields(product.subcategory_id).find((one) => one.name === name);
  return field === undefined ? '' : currentValue(product, field.name);
}

/** Whether the pictures are still those that were sent. One that is still being scaled down is too late. */
const arePicturesSent = (album: Album, addresses: readonly string[] = []) =>
  album.now().length === addresses.length &&
  album.now().every(({ address }, place) => address === addresses[place]);

/**
 * What was changed in the form while it was sent, and every edit of pictures. A stock is typed over the one that was sent.
 * @param edits as they are now
 * @param sent as they were when they were sent, as this body
 */
function newerEdits(edits: Edits, sent: Edits, { stock }: Body<'updateProduct'>) {
  const now = stock === undefined ? edits : rebaseStock(edits, String(stock ?? ''));
  const isNewer = (name: string) => name === PICTURES || now[name] !== sent[name];
  return Object.fromEntries(
    Object.entries(now).filter(([name]) => isNewer(name === STOCK_WAS ? 'stock' : name)),
  );
}

/** Once such a field is ticked, one of its options has to be chosen: the market cannot clear it. */
const NEVER_CLEARED: ReadonlySet<string> = new Set(['condition', 'water_resistance']);

/**
 * The problems that keep the ticked fields from being sent.
 * @param coming how many picked pictures are still being scaled down: sending waits for them
 */
function validateEdits(product: OwnProduct, edits: Edits, coming: number): Problems {
  const emptied = allProductFields(product.subcategory_id).filter(
    ({ name }) => edits[name]?.trim() === '',
  );
  const price = edits[PRICE];
  return {
    ...Object.fromEntries(
      emptied.flatMap(({ name, required }) => {
        if (NEVER_CLEARED.has(name)) return [[name, 'Choose one, or untick it.']];
        return required ? [[name, FIELDS_MISSING]] : [];
      }),
    ),
    ...stockProblem(edits.stock),
    ...(price !== undefined && priceProblem(price)),
    ...(edits[PICTURES] !== undefined && picturesProblem(parsePictures(edits).length + coming)),
  };
}

/** The request body with the ticked fields only. A changed price is raised by 10 %. */
function toUpdateBody(
  product: OwnProduct,
  edits: Edits,
  imageUrls: string[] | undefined,
): Body<'updateProduct'> {
  const typed = allProductFields(product.subcategory_id).flatMap(({ name }) => {
    const value = edits[name];
    // An emptied field clears the old value.
    return value === undefined ? [] : Object.entries(toWireField(name, value));
  });
  const price = edits[PRICE];
  const place = edits[PLACE];
  const before = stockBaseline(edits);
  return {
    ...Object.fromEntries(typed),
    ...(before !== undefined && { stock_was: before === '' ? null : Number(before) }),
    ...(price !== undefined && { price: raisedPriceNaira(Number(price), 'update') }),
    ...(place !== undefined && { local_govt: place, state: stateOf(place) ?? '' }),
    ...(imageUrls !== undefined && { imageUrls }),
  };
}
