import { EyeOff, MapPin, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { OwnProduct } from '../../api/types.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import { Picture } from '../../ui/Picture.js';
import { Price } from '../../ui/Price.js';
import { productPath } from '../../ui/paths.js';
import { Switch } from '../../ui/Switch.js';
import { RemoveDialog } from './RemoveDialog.js';
import { useToggle } from './use-own-acts.js';

interface OwnCardProps {
  readonly product: OwnProduct;
  readonly unavailable: boolean;
  readonly eager: boolean;
}

/** One of the seller's own goods, with its switch and its removal. */
export function OwnCard({ product, unavailable, eager }: OwnCardProps) {
  const [asking, setAsking] = useState(false);
  const toggle = useToggle(product.product_id);
  return (
    <article className={classes('card', unavailable && 'unav')}>
      <Link className="pic" to={productPath(product)}>
        <Picture
          url={product.image_urls[0]}
          alt={product.prod_name}
          eager={eager}
          sizes="(min-width: 1170px) 220px, (min-width: 640px) 33vw, 50vw"
        />
        {unavailable && (
          <span className="tag off">
            <Icon of={EyeOff} size="xs" />
            Unavailable
          </span>
        )}
      </Link>
      <div className="in">
        <Price amount={product.price} />
        <h3 className="name">{product.prod_name}</h3>
        <p className="place">
          <Icon of={MapPin} size="xs" />
          <span>
            {product.local_govt}, {product.state}
          </span>
        </p>
        <div className="acts">
          <Switch
            on={!unavailable}
            words={['Available', 'Unavailable']}
            of={product.prod_name}
            busy={toggle.isPending}
            onTurn={() => toggle.mutate()}
          />
          <button type="button" className="rmbtn" onClick={() => setAsking(true)}>
            <Icon of={Trash2} size="s" />
            Remove<span className="vh">, {product.prod_name}</span>
          </button>
        </div>
      </div>
      <RemoveDialog product={product} open={asking} onClose={() => setAsking(false)} />
    </article>
  );
}
