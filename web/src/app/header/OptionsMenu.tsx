import { ChevronDown, Menu } from 'lucide-react';
import {
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { UserDetails } from '../../api/types.js';
import * as buttonStyles from '../../ui/Button.module.css';
import { SellerSwatch } from '../../ui/Cloth.js';
import { classes } from '../../ui/classes.js';
import { useVisitKey } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { useDismissOnLeave } from '../../ui/use-browser.js';
import * as headerStyles from './header.module.css';
import * as styles from './OptionsMenu.module.css';

interface MenuButtonProps {
  /** What the button shows; `label` is what a screen reader says. */
  readonly face: ReactNode;
  readonly label: string;
  readonly className?: string | undefined;
  /** Called when the menu is being opened. */
  readonly onOpen?: () => void;
  /** The items, each an `li`. An item that stays on the page gets `close`. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** A button that opens a list of links. It closes on Escape, on a press or focus outside, and on navigation. */
export function MenuButton({ face, label, className, onOpen, children }: MenuButtonProps) {
  const visit = useVisitKey();
  /** The visit at which the menu was opened, so that it is closed on the next page. */
  const [openedAt, setOpenedAt] = useState<string>();
  const open = openedAt === visit;
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (refocus = true) => {
    setOpenedAt(undefined);
    if (refocus) button.current?.focus();
  };
  useDismissOnLeave(box, open, close);
  // The button may stand at the bottom of the window.
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
        onClick={() => {
          if (!open) onOpen?.();
          setOpenedAt(open ? undefined : visit);
        }}
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

/**
 * The items of a menu. Their chunk is loaded after the first render; if it does not come then, it is asked for again
 * whenever the menu is opened.
 */
function useMenuItems(name: keyof typeof import('./OptionItems.js')['menus']) {
  const [Items, setItems] = useState<ComponentType>();
  const load = useCallback(() => {
    import('./OptionItems.js').then(({ menus }) => setItems(() => menus[name]), console.error);
  }, [name]);
  useEffect(load, [load]);
  return { onOpen: load, children: Items && <Items /> };
}

/** On phones: the links that wide screens show beside the search. */
export function VisitorMenu() {
  return (
    <MenuButton label="Menu" face={<Icon of={Menu} size="l" />} {...useMenuItems('visitor')} />
  );
}

/** The seller's pattern and name, with the options below. */
export function OptionsMenu({ user }: { readonly user: UserDetails }) {
  return (
    <MenuButton
      {...useMenuItems('seller')}
      className={headerStyles.account}
      label={`${user.businessName}, options`}
      face={
        <>
          <SellerSwatch sellerId={user.user_id} size={28} />
          <span className={layout.onlyWide}>{user.businessName}</span>
          <Icon of={ChevronDown} size="s" className={layout.onlyWide} />
        </>
      }
    />
  );
}
