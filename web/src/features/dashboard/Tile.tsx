import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/Icon.js';
import { Skeleton } from '../../ui/Skeleton.js';

interface TileProps {
  readonly icon: LucideIcon;
  readonly label: string;
  /** 'm': money that is held; 'm ok': money that is safe. */
  readonly tone?: 'm' | 'm ok';
  /** Both undefined while they are still coming. */
  readonly figure: ReactNode;
  readonly note: ReactNode;
}

/** One figure; while it is coming the tile stands in its place, so that nothing moves when it is there. */
export function Tile({ icon, label, tone, figure, note }: TileProps) {
  return (
    <div className={tone}>
      <dt>
        <Icon of={icon} size="s" />
        {label}
      </dt>
      <dd>{figure ?? <Skeleton width="60%" className="sk-figure" />}</dd>
      <dd className="nt">{note ?? <Skeleton height={16} />}</dd>
    </div>
  );
}
