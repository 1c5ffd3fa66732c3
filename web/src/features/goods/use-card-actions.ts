import { limits } from '@oja/domain/rules';
import { useNavigate } from 'react-router-dom';
import {
  type CartProduct,
  chooseSingle,
  rememberOpened,
  toggleCart,
  useInCart,
} from '../../stores/cart.js';
import { toast } from '../../ui/toast.js';
import { PRODUCT_NOTICE_MS, sayRemoved } from './say-removed.js';

function sayFull(): void {
  toast.error(`A cart holds at most ${limits.cartLines.max} products.`, {
    duration: PRODUCT_NOTICE_MS,
  });
}

/** What the presses on a product's card do, wherever it lies. */
export function useCardActions(product: CartProduct) {
  const navigate = useNavigate();
  const inCart = useInCart(product.product_id);
  return {
    inCart,
    onToggle() {
      const outcome = toggleCart(product);
      if (outcome === 'full') sayFull();
      if (typeof outcome !== 'string') sayRemoved(outcome);
    },
    onSingleOrder() {
      if (chooseSingle(product) === 'full') sayFull();
      else void navigate('/cart-contents/single');
    },
    onOpen() {
      rememberOpened(product.product_id);
      void navigate('/view-card');
    },
  };
}
