import { Logo } from '../../ui/Logo.js';
import { StickyTop } from './StickyTop.js';

/** The logo alone: payment, verification, reviews, and whatever has no header of its own. */
export function PlainHeader() {
  return (
    <StickyTop>
      <Logo />
    </StickyTop>
  );
}
