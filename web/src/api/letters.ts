import { queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import { readAgain } from './query-client.js';
import type { Answer, Body } from './types.js';

export type Letters = Answer<'userLetters'>;

/** Where letters to the seller go, and whether they are on. */
export const lettersQuery = queryOptions({
  queryKey: ['letters'],
  queryFn: ({ signal }): Promise<Letters> => call('userLetters', { signal }),
});

/** Has a code sent to an address. @throws ApiError */
export async function askAddress(body: Body<'askLetterAddress'>): Promise<void> {
  await call('askLetterAddress', { body });
  await readAgain(lettersQuery.queryKey);
}

/** @throws ApiError */
export async function confirmAddress(code: string): Promise<void> {
  await call('confirmLetterAddress', { body: { code } });
  await readAgain(lettersQuery.queryKey);
}

/** @throws ApiError */
export async function removeAddress(): Promise<void> {
  await call('removeLetterAddress');
  await readAgain(lettersQuery.queryKey);
}

/** @throws ApiError */
export async function switchLetters(on: boolean): Promise<void> {
  await call('switchLetters', { body: { on } });
  await readAgain(lettersQuery.queryKey);
}
