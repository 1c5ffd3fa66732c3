import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import '../../styles/parts/product.css';
import { ApiError } from '../../api/error.js';
import { productQuery } from '../../api/product.js';
import type { Product } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { NoSuchProduct } from './NoSuchProduct.js';
import { ProductSkeleton } from './ProductSkeleton.js';

interface ProductScreenProps {
  readonly productId: string;
  readonly children: (product: Product) => ReactNode;
}

/** A product in whichever state it is: coming, there, gone, not reached, offline. */
export function ProductScreen({ productId, children }: ProductScreenProps) {
  const { data, error, isPending, refetch } = useQuery(productQuery(productId));
  const online = useOnline();
  if (error instanceof ApiError && error.status === 404) return <NoSuchProduct />;
  if (data !== undefined) return children(data);
  if (isPending) return <ProductSkeleton />;
  return (
    <Screen title="Product" className="page">
      <h1 className="vh">Product</h1>
      {online ? <ErrorState onRetry={() => void refetch()} /> : <OfflineState />}
    </Screen>
  );
}
