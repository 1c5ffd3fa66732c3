import type { Actor } from '@oja/contracts';

export type { Person } from '@oja/contracts';

export const isStaff = ({ role }: Actor): boolean => role !== 'seller';
