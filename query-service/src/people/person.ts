import type { Actor } from '@oja/contracts';

/** Who asks, and by which login. */
export interface Person extends Actor {
  readonly session: string;
}

export const isStaff = ({ role }: Actor): boolean => role !== 'seller';
