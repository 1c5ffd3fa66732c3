import { ChevronDown, Menu } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { UserDetails } from '../../api/types.js';
import * as buttonStyles from '../../ui/Button.module.css';
import { SellerSwatch } from '../../ui/Cloth.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { useDismiss } from '../../ui/use-browser.js';
import * as headerStyles from './header.module.css';
import * as styles from './OptionsMenu.module.css';

interface MenuButtonProps {
  /** What the button shows, and what a reader hears. */
  readonly face: ReactNode;
  readonly label: string;
  readonly className?: string | undefined;
  /** The list's items, each an `li`; one that stays on the page is told how to close the list. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** A button that shows a list of ways to go. It closes by Escape, by leaving it, and by going. */
export function MenuButton({ face, label, className, children }: MenuButtonProps) {
  const { key } = useLocation();
  /** The visit during which it was opened: on the next page it is closed. */
  const [openedAt, setOpenedAt] = useState<string>();
  const open = openedAt === key;
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (refocus = true) => {
    setOpenedAt(undefined);
    if (refocus) button.current?.focus();
  };
  useDismiss(box, open, close);
  // Its button may stand at the foot of the window.
  useEffect(() => {
    if (open) box.current?.querySelector('ul')?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <div ref={box} className={`${styles.menuBox} ${headerStyles.menuPlace}`}>
      <button
        ref={button}
        type="button"
        className={classes(buttonStyles.iconButton, className)}
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpenedAt(open ? undefined : key)}
      >
        {face}
      </button>
      {open && (
        <ul id={id} className={styles.menu}>
          {typeof children === 'function' ? children(close) : children}
        </ul>
      )}
    </div>
  );
}

/** The items of a menu: their part of the app comes once the page stands. */
function useItems(name: keyof typeof import('./OptionItems.js')): ReactNode {
  const [Items, setItems] = useState<ComponentType>();
  useEffect(() => {
    import('./OptionItems.js').then((items) => setItems(() => items[name]), console.error);
  }, [name]);
  return Items && <Items />;
}

/** On phones: the ways that wide screens show beside the search. */
export function VisitorMenu() {
  return (
    <MenuButton label="Menu" face={<Icon of={Menu} size="l" />}>
      {useItems('VisitorItems')}
    </MenuButton>
  );
}

/** The seller's cloth and name, with the options below. */
export function OptionsMenu({ user }: { readonly user: UserDetails }) {
  return (
    <MenuButton
      className={headerStyles.account}
      label={`${user.businessName}, options`}
      face={
        <>
          <SellerSwatch sellerId={user.user_id} size={28} />
          <span className={layout.onlyWide}>{user.businessName}</span>
          <Icon of={ChevronDown} size="s" className={layout.onlyWide} />
        </>
      }
    >
      {useItems('OptionItems')}
    </MenuButton>
  );
}
