import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { verifyQuery } from '../../api/checkout.js';
import { rememberPaid } from './paid.js';

/** The four messages, to the letter. */
export const messages = {
  paid: 'Payment was successful!',
  unpaid: 'Payment verification failed.',
  'no-reference': 'No payment reference found.',
  failed: 'Error verifying payment.',
} as const;

export type Verification =
  | { readonly state: 'asking' }
  /** Without a key when another browser placed the order. */
  | { readonly state: 'paid'; readonly orderKey: string | undefined }
  | { readonly state: 'unpaid'; readonly status: string | undefined }
  | { readonly state: 'no-reference' }
  | { readonly state: 'failed' };

/** Asks whether the payment has arrived, and acts on it once. */
export function useVerification(reference: string): {
  readonly verification: Verification;
  readonly again: () => void;
} {
  const { data, isError, isFetching, refetch } = useQuery({
    ...verifyQuery(reference),
    enabled: reference !== '',
  });
  const [orderKey, setOrderKey] = useState<string>();
  useEffect(() => {
    if (data?.ok) setOrderKey(rememberPaid(reference, data.transactionId));
  }, [data, reference]);
  return {
    verification: verificationOf(reference, isFetching, isError, data, orderKey),
    again: () => void refetch(),
  };
}

function verificationOf(
  reference: string,
  asking: boolean,
  failed: boolean,
  data: { readonly ok: boolean; readonly status?: string | undefined } | undefined,
  orderKey: string | undefined,
): Verification {
  if (reference === '') return { state: 'no-reference' };
  if (data?.ok) return { state: 'paid', orderKey };
  if (asking) return { state: 'asking' };
  if (failed || data === undefined) return { state: 'failed' };
  return { state: 'unpaid', status: data.status };
}
