import type { ReactNode } from 'react';
import '../../styles/parts/category.css';
import { Breadcrumb, type Crumb } from '../../ui/Breadcrumb.js';
import { Cloth } from '../../ui/Cloth.js';
import type { Motif } from '../../ui/motif.js';

interface CategoryBandProps {
  readonly motif: Motif;
  readonly crumbs: readonly Crumb[];
  readonly name: string;
  /** '486 products'. */
  readonly children?: ReactNode;
}

/** The subcategory header: a band of cloth with breadcrumb and name, at the top of the page's main part. */
export function CategoryBand({ motif, crumbs, name, children }: CategoryBandProps) {
  return (
    <Cloth motif={motif} className="cathero">
      <div className="page">
        <Breadcrumb crumbs={crumbs} />
        <h1>{name}</h1>
        {children !== undefined && <p>{children}</p>}
      </div>
    </Cloth>
  );
}
