import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orderQuery } from '../../api/checkout.js';
import { stageOf } from './order-view.js';
import { rememberStage } from './paid.js';

/** An order of this browser as the server has it now; where it stands is kept. */
export function useOrder(orderKey: string) {
  const order = useQuery(orderQuery(orderKey));
  const stage = order.data && stageOf(order.data);
  useEffect(() => {
    if (stage !== undefined) rememberStage(orderKey, stage);
  }, [orderKey, stage]);
  return order;
}
