import { Button } from '../../ui/Button.js';
import { focusHeading } from '../../ui/focus.js';
import * as layout from '../../ui/layout.module.css';
import { CardSkeletons } from '../../ui/Skeleton.js';
import { toast } from '../../ui/toast.js';
import { GoodsCard } from '../goods/GoodsList.js';
import { clearSeen, restoreSeen, useListedGoods } from './lists.js';
import * as styles from './SeenRow.module.css';

interface SeenRowProps {
  readonly ids: readonly string[];
  readonly excludedId: string | undefined;
}

/** Products viewed in this browser, newest first, in a row that scrolls sideways. Left out if they do not load. */
export default function SeenRow({ ids, excludedId }: SeenRowProps) {
  const { goods, isError } = useListedGoods(ids);
  const shown = goods?.filter(({ product_id }) => product_id !== excludedId);
  if ((isError && shown === undefined) || shown?.length === 0) return null;
  return (
    <section className={layout.section} aria-labelledby="seen" aria-busy={shown === undefined}>
      <div className={layout.sectionHead}>
        <h2 id="seen">Recently seen</h2>
        <Button look="ghost" size="s" onClick={clearWithUndo}>
          Clear
          <span className={layout.visuallyHidden}> what was recently seen</span>
        </Button>
      </div>
      <ul className={styles.rail}>
        {shown === undefined ? (
          <li>
            <CardSkeletons count={1} />
          </li>
        ) : (
          shown.map((product) => (
            <li key={product.product_id}>
              <GoodsCard product={product} />
            </li>
          ))
        )}
      </ul>
    </section>
  );
}

function clearWithUndo(): void {
  const before = clearSeen();
  focusHeading();
  toast.info('Nothing is kept of what you looked at.', {
    action: { label: 'Undo', onPress: () => restoreSeen(before) },
  });
}
