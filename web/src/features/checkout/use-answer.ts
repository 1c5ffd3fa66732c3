import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { confirmDelivery, orderQuery, reportNotReceived } from '../../api/checkout.js';
import { clickKey } from '../../api/key.js';
import { keepOrder, setDeliveryStatus } from '../../stores/orders.js';
import { toast } from '../../ui/toast.js';

/** How long the toast after No stays, in ms. */
const NOT_DELIVERED_MS = 3_000;

/** Yes and No. Pressed again after a failure, each is sent as the same press. */
export function useAnswer(orderKey: string) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [press] = useState(() => ({ yes: clickKey(), no: clickKey() }));

  /** What was loaded of the order is older than the answer. */
  const leave = async () => {
    await navigate('/');
    client.removeQueries({ queryKey: orderQuery(orderKey).queryKey });
  };
  const reload = () => void client.invalidateQueries({ queryKey: orderQuery(orderKey).queryKey });

  const yes = useMutation({
    mutationFn: () => confirmDelivery(orderKey, press.yes),
    onSuccess: async () => {
      keepOrder(orderKey, 'closed');
      setDeliveryStatus('AVAILABLE');
      await leave();
      toast.success('Thank you. Your money goes to the sellers now.', {
        title: 'Delivery confirmed',
      });
    },
    onError: reload,
  });
  const no = useMutation({
    mutationFn: () => reportNotReceived(orderKey, press.no),
    onSuccess: async () => {
      setDeliveryStatus('Pending');
      await leave();
      toast.error('Product not delivered!!!!', { title: 'Failed', duration: NOT_DELIVERED_MS });
    },
    onError: reload,
  });
  const ask = (answer: typeof yes, other: typeof yes) => () => {
    other.reset();
    answer.mutate();
  };
  return {
    yes: ask(yes, no),
    no: ask(no, yes),
    sending: yes.isPending || no.isPending,
    error: yes.error ?? no.error,
  };
}
