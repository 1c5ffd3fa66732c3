import { productPath } from '@oja/contracts/pages';
import { Copy, MessageCircle, Share2 } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { Product } from '../../api/types.js';
import { MenuButton } from '../../app/header/OptionsMenu.js';
import { IconButton } from '../../ui/Button.js';
import { copyText } from '../../ui/CopyButton.js';
import { Icon } from '../../ui/Icon.js';
import { formatAmount } from '../../ui/Price.js';

/** The fields of a product that a shared message needs. */
type Shared = Pick<Product, 'product_id' | 'subcategory_id' | 'prod_name' | 'price'>;

const LABEL = 'Share this product';

/** Shares a product through the browser's share dialog, else by a copied link or a WhatsApp message. */
export function Share({ product }: { readonly product: Shared }) {
  const hasWebShare = useWebShare();
  if (hasWebShare)
    return <IconButton of={Share2} label={LABEL} onClick={() => void openShareDialog(product)} />;
  return (
    <MenuButton label={LABEL} face={<Icon of={Share2} />}>
      {(close) => (
        <>
          <li>
            <button
              type="button"
              onClick={() => {
                void copyLink(canonicalUrl(product));
                close();
              }}
            >
              <Icon of={Copy} size="s" />
              Copy the link
            </button>
          </li>
          <li>
            <a
              href={`https://wa.me/?text=${encodeURIComponent(`${shareText(product)} ${canonicalUrl(product)}`)}`}
              target="_blank"
              rel="noreferrer"
            >
              <Icon of={MessageCircle} size="s" />
              WhatsApp
            </a>
          </li>
        </>
      )}
    </MenuButton>
  );
}

const noSubscription = () => () => {};
const canShare = () => typeof navigator.share === 'function';

/**
 * Whether the browser has the Web Share API. The server cannot know; both buttons look the same, so hydration
 * does not shift the page.
 */
const useWebShare = () => useSyncExternalStore(noSubscription, canShare, () => false);

/** The product's canonical address, whatever query the address bar has. */
const canonicalUrl = (product: Shared) => location.origin + productPath(product);

const shareText = ({ prod_name, price }: Shared) => `${prod_name}, ${formatAmount(price)} on Oja:`;

async function openShareDialog(product: Shared): Promise<void> {
  const url = canonicalUrl(product);
  try {
    await navigator.share({ title: product.prod_name, text: shareText(product), url });
  } catch (error) {
    // The person closed the share dialog and wants nothing else.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    await copyLink(url);
  }
}

const copyLink = (url: string) => copyText(url, 'The link is copied.');
