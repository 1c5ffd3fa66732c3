import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import type { Motif } from '../../ui/motif.js';

interface ActCardProps {
  readonly motif: Motif;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly line: string;
  readonly onPress: () => void;
}

/** What only a head admin may do, on cloth. */
export function ActCard({ motif, icon, title, line, onPress }: ActCardProps) {
  return (
    <button type="button" className={classes('acard cloth', motif)} onClick={onPress}>
      <span>
        <Icon of={icon} size="l" />
      </span>
      <b>{title}</b>
      <small>{line}</small>
    </button>
  );
}

interface CountCardProps {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly title: string;
  /** Undefined while it is not known. */
  readonly count: number | undefined;
}

/** How many there are, on paper; it leads to them. */
export function CountCard({ to, icon, title, count }: CountCardProps) {
  return (
    <Link className="acard" to={to}>
      <span>
        <Icon of={icon} size="l" />
      </span>
      <b>{title}</b>
      <em className="num">{count?.toLocaleString('en-NG') ?? ' '}</em>
    </Link>
  );
}
