import { Check, ChevronRight } from 'lucide-react';
import { Icon } from '../../ui/Icon.js';

interface PickListProps {
  readonly names: readonly string[];
  readonly chosen: string | undefined;
  readonly onPick: (name: string) => void;
  /** A picture for each, where there is one. */
  readonly pictureOf?: (name: string) => string | undefined;
  /** Picking leads on to a second list. */
  readonly leadsOn?: boolean;
}

/** The names of one level of a picker. */
export function PickList({ names, chosen, onPick, pictureOf, leadsOn = false }: PickListProps) {
  return (
    <div className="subpick">
      {names.map((name) => {
        const picture = pictureOf?.(name);
        return (
          <button
            key={name}
            type="button"
            className={picture === undefined ? 'plain' : undefined}
            aria-pressed={name === chosen || undefined}
            onClick={() => onPick(name)}
          >
            {picture !== undefined && (
              <img src={picture} alt="" width={52} height={52} loading="lazy" />
            )}
            <b>{name}</b>
            {name === chosen && <Icon of={Check} size="s" />}
            {leadsOn && name !== chosen && <Icon of={ChevronRight} size="s" className="muted" />}
          </button>
        );
      })}
    </div>
  );
}
