import { pagePaths } from '@oja/contracts/pages';
import { Heart } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Screen } from '../../app/Screen.js';
import { useSavedIds } from '../../stores/saved-and-seen.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { focusHeadingIfLost } from '../../ui/focus.js';
import * as layout from '../../ui/layout.module.css';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import { GoodsGrid } from '../goods/GoodsList.js';
import { removeSaved, useListedGoods } from './lists.js';
import * as styles from './SavedPage.module.css';

/** The products saved in this browser, newest first. */
export default function SavedPage() {
  const ids = useSavedIds();
  const before = useRef(ids.length);
  // Unsaving a product removes its card and with it the focused button.
  useLayoutEffect(() => {
    if (ids.length < before.current) focusHeadingIfLost();
    before.current = ids.length;
  }, [ids.length]);
  return (
    <Screen title="Saved" className={`${layout.page} ${styles.page}`}>
      <section className={layout.section}>
        <div className={layout.sectionHead}>
          <h1>Saved</h1>
        </div>
        {ids.length > 0 && (
          <p className={layout.muted}>What you saved in this browser. Nobody else sees it.</p>
        )}
        <div className={layout.moreBelow}>
          {ids.length === 0 ? <NothingSaved /> : <SavedGoods ids={ids} />}
        </div>
      </section>
    </Screen>
  );
}

function NothingSaved() {
  return (
    <EmptyState
      motif="seeds"
      icon={Heart}
      title="Nothing is saved here yet"
      line="Press the heart of a product, and it waits for you on this page."
      action={<ButtonLink to={pagePaths.home}>Go to the market</ButtonLink>}
    />
  );
}

function SavedGoods({ ids }: { readonly ids: readonly string[] }) {
  const { goods, isError, isPlaceholderData, refetch } = useListedGoods(ids);
  if (goods === undefined) {
    if (!isError) return <GoodsGrid products={[]} five placeholders={ids.length} />;
    return <LoadFailed onRetry={() => void refetch()} />;
  }
  const shown = new Set(goods.map(({ product_id }) => product_id));
  const away = isPlaceholderData ? [] : ids.filter((id) => !shown.has(id));
  return (
    <>
      <h2 className={layout.visuallyHidden}>Products</h2>
      <GoodsGrid products={goods} five first />
      {away.length > 0 && (
        <div className={`${layout.centered} ${layout.moreBelow}`}>
          <p className={layout.muted}>
            {away.length === 1 ? 'One more is' : `${away.length} more are`} not on the market just
            now.
          </p>
          <Button look="line" onClick={() => removeSaved(away)}>
            {away.length === 1 ? 'Forget it' : 'Forget them'}
          </Button>
        </div>
      )}
    </>
  );
}
