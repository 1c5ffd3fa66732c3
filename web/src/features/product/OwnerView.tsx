import type { Product } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { ButtonLink } from '../../ui/Button.js';
import { Gallery } from '../../ui/Gallery.js';
import { Price } from '../../ui/Price.js';
import { productPath } from '../../ui/paths.js';
import { attributesOf } from './attributes.js';
import './product.css';

/** A product as its own seller sees it. */
export default function OwnerView({ product }: { readonly product: Product }) {
  const path = productPath(product);
  return (
    <Screen title={product.prod_name} className="page product">
      <Breadcrumb
        crumbs={[{ label: 'All Products', to: '/dashboard' }, { label: product.prod_name }]}
      />
      <div className="prod">
        <Gallery urls={product.image_urls} name={product.prod_name} />
        <section aria-label="Product details">
          <h1>{product.prod_name}</h1>
          <Price amount={product.price} size="big" />
          <table className="owntable">
            <tbody>
              {attributesOf(product).map(({ name, label, value }) => (
                <tr key={name}>
                  <th scope="row">{label}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="desc">{product.description}</p>
          <div className="row wrap ownacts">
            <ButtonLink to={`${path}/update`}>edit details</ButtonLink>
            <ButtonLink look="line" to={`${path}?view=shopper`}>
              See it as shoppers do
            </ButtonLink>
          </div>
        </section>
      </div>
    </Screen>
  );
}
