import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useOrders } from '../../stores/orders.js';

/** Orders that are asked after at once: the newest of a browser that shops a lot. */
const MOST = 10;

/** The key in the address, as the receipt's link has it. */
function keyOf(hash: string): string | undefined {
  return /^#([0-9a-f-]{36}\.[\w-]{22})$/.exec(hash)?.[1];
}

/** Which order the page is about: that of the receipt's link, the one chosen, or the newest that is not confirmed. */
export function useSelectedOrder() {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const open = useOrders().filter(({ stage }) => stage !== 'closed');
  const [chosen, choose] = useState<string>();
  const linked = keyOf(hash);
  const newest = open.find(({ stage }) => stage === 'paid')?.key;
  // Stays on screen when it turns out to be confirmed already.
  if (chosen === undefined && linked === undefined && newest !== undefined) choose(newest);
  const selected = linked ?? chosen ?? newest;

  return {
    selected,
    others: open
      .map(({ key }) => key)
      .filter((key) => key !== selected)
      .slice(0, MOST),
    choose,
    /** The server knows the order of the link and it is kept: its secret leaves the address bar. */
    settle: () => {
      if (linked === undefined) return;
      choose(linked);
      void navigate(pathname, { replace: true, preventScrollReset: true });
    },
  };
}
