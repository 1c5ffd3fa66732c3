import { MongoError, MongoInvalidArgumentError } from 'mongodb';
import { StoreUnavailable } from '../eventstore/errors.js';

/** Unauthorized, AuthenticationFailed: no repetition helps. */
const forGood: readonly unknown[] = [13, 18];

const duplicateKey = 11_000;

/** There is one with this key already. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoError && error.code === duplicateKey;

/** Whether the server refused with this code. */
export const hasCode = (error: unknown, code: number): boolean =>
  error instanceof MongoError && error.code === code;

/** @throws StoreUnavailable for what the server or the way to it did; a wrong call stays what it is. */
export async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) throw error;
    throw new StoreUnavailable(
      `MongoDB did not do it: ${error.message}`,
      forGood.includes(error.code),
    );
  }
}
