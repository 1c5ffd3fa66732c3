import { useQuery } from '@tanstack/react-query';
import { PackageSearch } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Product } from '../../api/types.js';
import { ButtonLink } from '../../ui/Button.js';
import { categoryPath } from '../../ui/paths.js';
import { EmptyState, ErrorState } from '../../ui/States.js';
import { GoodsGrid } from '../goods/GoodsGrid.js';
import { SIMILAR, similarQuery } from './queries.js';

/** Other products of the same subcategory. */
export function SimilarProducts({ product }: { readonly product: Product }) {
  const { subcategory_name: subcategory, top_category: category } = product;
  return (
    <section className="sec" aria-labelledby="similar">
      <div className="hd">
        <h2 id="similar">Similar Products</h2>
        <Link className="link" to={categoryPath(category, subcategory)}>
          See all<span className="vh"> {subcategory}</span>
        </Link>
      </div>
      <SimilarList product={product} />
    </section>
  );
}

function SimilarList({ product }: { readonly product: Product }) {
  const { top_category: category } = product;
  const { data, isPending, isError, refetch } = useQuery(similarQuery(product));
  if (isPending) return <GoodsGrid products={[]} five rows coming={SIMILAR} />;
  if (isError) return <ErrorState onRetry={() => void refetch()} />;
  const others = data.result.filter(({ product_id }) => product_id !== product.product_id);
  if (others.length === 0)
    return (
      <EmptyState
        motif="seeds"
        icon={PackageSearch}
        paper
        title="No similar product currently available..."
        action={
          <ButtonLink look="line" to={categoryPath(category)}>
            More in {category}
          </ButtonLink>
        }
      />
    );
  return <GoodsGrid products={others.slice(0, SIMILAR)} five rows />;
}
