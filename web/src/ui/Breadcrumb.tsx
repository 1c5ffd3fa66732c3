import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import * as styles from './Breadcrumb.module.css';
import { Icon } from './Icon.js';
import { Link } from './Link.js';

export interface Crumb {
  readonly label: string;
  /** Left out for the current page. */
  readonly to?: string;
}

interface BreadcrumbProps {
  readonly crumbs: readonly Crumb[];
  /** Shown between two steps instead of the arrow. */
  readonly separator?: string;
}

/** The links from home to this page. */
export function Breadcrumb({ crumbs, separator }: BreadcrumbProps) {
  return (
    <nav className={styles.breadcrumb} aria-label="Breadcrumb">
      {crumbs.map(({ label, to }, i) => (
        <Fragment key={label}>
          {i > 0 &&
            (separator === undefined ? (
              <Icon of={ChevronRight} size="xs" />
            ) : (
              <span aria-hidden="true">{separator}</span>
            ))}
          {to === undefined ? (
            <span aria-current="page">{label}</span>
          ) : (
            <Link to={to}>{label}</Link>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
