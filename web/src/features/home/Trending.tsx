import { useQuery } from '@tanstack/react-query';
import { CardSkeletons } from '../../ui/CardSkeleton.js';
import { Carousel } from '../../ui/Carousel.js';
import { Cloth } from '../../ui/Cloth.js';
import { GoodsCard } from '../goods/GoodsCard.js';
import { trendingQuery } from './queries.js';

/** What sells, passing by on the cloth. Left out when there is nothing, or it did not load: the list below says why. */
export function Trending() {
  const { data, isPending, isError } = useQuery(trendingQuery);
  if (isError || data?.result.length === 0) return null;
  return (
    <Cloth as="div" className="trend">
      {isPending ? (
        <TrendingSkeleton />
      ) : (
        <Carousel
          title="Trending products"
          items={data.result}
          keyOf={(product) => product.product_id}
        >
          {(product) => <GoodsCard product={product} lead />}
        </Carousel>
      )}
    </Cloth>
  );
}

function TrendingSkeleton() {
  return (
    <section className="page sec" aria-busy="true">
      <div className="hd">
        <h2>Trending products</h2>
      </div>
      <div className="railbox moving">
        <div className="rail">
          {[1, 2, 3, 4].map((place) => (
            <div key={place} className="slide">
              <CardSkeletons count={1} lead />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
