import { categoryPath, productPath, storePath } from '@oja/contracts/pages';
import { SUGGESTIONS_MIN_LENGTH } from '@oja/domain/rules';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LayoutGrid, type LucideIcon, SpellCheck, Store } from 'lucide-react';
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router-dom';
import {
  type Suggestions as Answer,
  countLetters,
  shelfLabel,
  suggestionsQuery,
} from '../../api/suggestions.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { Picture } from '../../ui/Picture.js';
import { formatCount, Naira } from '../../ui/Price.js';
import { useDebouncedValue } from '../../ui/use-value.js';
import * as styles from './Suggestions.module.css';

export interface SuggestionsProps {
  readonly typed: string;
  /** Whether typing led to this page: then suggestions open at once, else with the next letter. */
  readonly isTyping: boolean;
  /** Searches for other words. */
  readonly onSearch: (query: string) => void;
}

interface Option {
  readonly key: string;
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly picture?: string | undefined;
  readonly price?: number;
  readonly onChoose: () => void;
}

/** The search box below which this component hangs. */
const searchInputOf = (place: HTMLElement | null) =>
  place?.closest('form')?.querySelector<HTMLInputElement>('input[name="query"]') ?? null;

/**
 * Turns the search box around it into a combobox: products, shelves, stores and another spelling, chosen by
 * arrows and Enter or by touch. The focus stays in the box; `aria-activedescendant` names the active option.
 */
export default function Suggestions({ typed, isTyping, onSearch }: SuggestionsProps) {
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(isTyping);
  const [activeKey, setActiveKey] = useState<string>();
  const debounced = useDebouncedValue(typed);
  const { data } = useQuery({ ...suggestionsQuery(debounced), placeholderData: keepPreviousData });

  const closeList = () => {
    setOpen(false);
    setActiveKey(undefined);
  };
  const choose = ({ onChoose }: Option) => {
    closeList();
    onChoose();
  };
  const isLongEnough =
    countLetters(typed) >= SUGGESTIONS_MIN_LENGTH &&
    countLetters(debounced) >= SUGGESTIONS_MIN_LENGTH;
  /** Lets go of the box: the next page's heading gets the focus, and a phone's keyboard does not cover it. */
  const navigateTo = (to: string) => {
    searchInputOf(place.current)?.blur();
    void navigate(to);
  };
  const options =
    isOpen && isLongEnough && data !== undefined ? toOptions(data, navigateTo, onSearch) : [];
  const isShown = options.length > 0;
  const activeIndex = options.findIndex(({ key }) => key === activeKey);
  const idOf = (n: number) => `${id}-${n}`;

  const last = options.length - 1;
  const active = options[activeIndex];
  const activate = (n: number) => () => setActiveKey(options[n]?.key);
  /** What a key does here. Without an active option, Home and End move the text cursor as usual. */
  const keyAction = (key: string): (() => void) | undefined => {
    if (!isShown) return key === 'ArrowDown' ? () => setOpen(true) : undefined;
    switch (key) {
      case 'ArrowDown':
        return activate(activeIndex === last ? 0 : activeIndex + 1);
      case 'ArrowUp':
        return activate(activeIndex <= 0 ? last : activeIndex - 1);
      case 'Home':
        return active && activate(0);
      case 'End':
        return active && activate(last);
      case 'Escape':
        return closeList;
      case 'Enter':
        return active && (() => choose(active));
      default:
        return undefined;
    }
  };
  const onKey = (key: string): boolean => {
    const action = keyAction(key);
    action?.();
    // What was typed is searched for: suggestions that come later must not cover what is found.
    if (key === 'Enter' && !action) closeList();
    return action !== undefined;
  };
  useCombobox(
    place,
    { listId: id, isShown, at: activeIndex },
    {
      onKey,
      onInput() {
        setActiveKey(undefined);
        setOpen(true);
      },
      onBlur: closeList,
    },
  );

  return (
    <div ref={place}>
      {isShown && (
        <div id={id} role="listbox" aria-label="Suggestions" className={styles.list}>
          {options.map((option, n) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the focus, and its keys.
            // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant instead.
            <div
              key={option.key}
              id={idOf(n)}
              role="option"
              aria-selected={n === activeIndex}
              className={styles.option}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              <OptionContent option={option} />
            </div>
          ))}
        </div>
      )}
      <p role="status" className={layout.visuallyHidden}>
        {isShown && `${formatCount(options.length, 'suggestion')}, below.`}
      </p>
    </div>
  );
}

interface ComboboxState {
  /** The id of the list of options; the options' ids are `<listId>-<n>`. */
  readonly listId: string;
  readonly isShown: boolean;
  /** The active option, counted from 0; -1 for none. */
  readonly at: number;
}

interface ComboboxHandlers {
  /** @returns whether the key was handled */
  readonly onKey: (key: string) => boolean;
  readonly onInput: () => void;
  readonly onBlur: () => void;
}

/** Makes a combobox of the search box around `place`: its attributes say what is shown, its events go to the handlers. */
function useCombobox(
  place: RefObject<HTMLElement | null>,
  { listId, isShown, at }: ComboboxState,
  handlers: ComboboxHandlers,
): void {
  useLayoutEffect(() => {
    const input = searchInputOf(place.current);
    if (input === null) return;
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-expanded', String(isShown));
    const active = at >= 0 && `${listId}-${at}`;
    const attributes = { 'aria-controls': isShown && listId, 'aria-activedescendant': active };
    for (const [name, value] of Object.entries(attributes))
      if (value === false) input.removeAttribute(name);
      else input.setAttribute(name, value);
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
  }, [place, listId, isShown, at]);

  const onKey = useEffectEvent(handlers.onKey);
  const onInput = useEffectEvent(handlers.onInput);
  const onBlur = useEffectEvent(handlers.onBlur);
  useEffect(() => {
    const input = searchInputOf(place.current);
    if (input === null) return;
    const listeners = {
      keydown(event: Event) {
        if (!(event instanceof KeyboardEvent) || event.isComposing) return;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (onKey(event.key)) event.preventDefault();
      },
      input: () => onInput(),
      blur: () => onBlur(),
    };
    const all = Object.entries(listeners);
    for (const [name, listener] of all) input.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of all) input.removeEventListener(name, listener);
    };
  }, [place]);
}

function OptionContent({ option }: { readonly option: Option }) {
  const { icon, picture, label, price } = option;
  return (
    <>
      {icon ? (
        <Icon of={icon} size="s" />
      ) : (
        <Picture url={picture} alt="" width={40} sizes="40px" />
      )}
      <span className={styles.words}>{label}</span>
      {price !== undefined && (
        <span className={`${styles.price} ${layout.figures}`}>
          <Naira amount={price} />
        </span>
      )}
    </>
  );
}

/** The corrected spelling comes first: without it nothing is found. */
function toOptions(
  { goods = [], shelves, stores, did_you_mean: meant }: Answer,
  goTo: (path: string) => void,
  onSearch: (query: string) => void,
): readonly Option[] {
  return [
    ...(meant === null
      ? []
      : [
          {
            key: 'meant',
            label: `Did you mean ${meant}?`,
            icon: SpellCheck,
            onChoose: () => onSearch(meant),
          },
        ]),
    ...shelves.map((shelf) => ({
      key: `shelf ${shelf.subcategory_name}`,
      label: shelfLabel(shelf),
      icon: LayoutGrid,
      onChoose: () => goTo(categoryPath(shelf.top_category, shelf.subcategory_name)),
    })),
    ...stores.map(({ user_id, businessName }) => ({
      key: `store ${user_id}`,
      label: businessName,
      icon: Store,
      onChoose: () => goTo(storePath(businessName)),
    })),
    ...goods.map((one) => ({
      key: `product ${one.product_id}`,
      label: one.prod_name,
      picture: one.image_url ?? undefined,
      price: one.price,
      onChoose: () => goTo(productPath(one)),
    })),
  ];
}
