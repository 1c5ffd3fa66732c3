import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, PackageSearch } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { ApiError } from '../../api/error.js';
import { ownProductQuery } from '../../api/own-products.js';
import { Screen } from '../../app/Screen.js';
import '../../styles/parts/upload.css';
import { ButtonLink } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { productPath } from '../../ui/paths.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { UpdateForm } from './update/UpdateForm.js';

/** Update of one's own product. */
export function Component() {
  const { product_id: id = '' } = useParams();
  const { data, error, refetch } = useQuery(ownProductQuery(id));
  const online = useOnline();
  if (data === null || (error instanceof ApiError && error.status === 404))
    return (
      <Screen title="Update">
        <EmptyState
          motif="steps"
          icon={PackageSearch}
          headingLevel="h1"
          title="This is not one of your products"
          line="It was removed, or it belongs to another store."
          action={<ButtonLink to="/dashboard">All Products</ButtonLink>}
        />
      </Screen>
    );
  return (
    <Screen title={data === undefined ? 'Update' : `Update ${data.prod_name}`}>
      <div className="hd">
        <div className="row backed">
          <Link
            className="ib"
            to={data === undefined ? '/dashboard' : productPath(data)}
            aria-label="Back"
          >
            <Icon of={ArrowLeft} />
          </Link>
          <div>
            <h1>Update product</h1>
            <p className="muted">
              {data === undefined ? 'One moment' : data.prod_name}. Tick what shall change.
            </p>
          </div>
        </div>
      </div>
      {data === undefined && error === null && <Skeleton height={420} />}
      {data === undefined && error !== null && !online && <OfflineState />}
      {data === undefined && error !== null && online && (
        <ErrorState onRetry={() => void refetch()} />
      )}
      {data && <UpdateForm key={data.product_id} product={data} />}
    </Screen>
  );
}
