import { useState } from 'react';

/** Field → what it shall become; fields that are not ticked are not in. */
export type Edits = Readonly<Record<string, string>>;

const nameOf = (productId: string) => `oja-update-${productId}`;

function read(productId: string): Edits {
  try {
    const raw: unknown = JSON.parse(sessionStorage.getItem(nameOf(productId)) ?? '{}');
    const entries = Object.entries(typeof raw === 'object' && raw !== null ? raw : {});
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

function write(productId: string, edits: Edits): void {
  try {
    if (Object.keys(edits).length === 0) sessionStorage.removeItem(nameOf(productId));
    else sessionStorage.setItem(nameOf(productId), JSON.stringify(edits));
  } catch {
    // Without storage they live as long as the page does.
  }
}

/** What is being changed of a product; a reload or an expired session leaves it as it was. */
export function useEdits(productId: string) {
  const [edits, setEdits] = useState<Edits>(() => read(productId));
  const change = (next: Edits) => {
    write(productId, next);
    setEdits(next);
  };
  return [edits, change] as const;
}
