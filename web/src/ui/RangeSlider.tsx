import * as Slider from '@radix-ui/react-slider';
import { useEffect, useId, useState } from 'react';
import { classes } from './classes.js';
import { Message } from './Field.js';
import * as layout from './layout.module.css';
import { formatAmount } from './Price.js';
import * as styles from './RangeSlider.module.css';
import { parseNaira } from './typed-price.js';

type Range = readonly [from: number, to: number];

interface RangeSliderProps {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The highest price that can be typed, beyond the end of the track. */
  readonly most?: number;
  readonly value: Range;
  /** Called once, when a thumb is released or after a key press. */
  readonly onCommit: (value: Range) => void;
}

/**
 * A range of prices: two thumbs on one track, and below them the two prices in naira, which can also be
 * typed. A price beyond the track has its thumb at the end, and is kept until that thumb moves.
 */
export function RangeSlider({ min, max, step, most = max, value, onCommit }: RangeSliderProps) {
  const [low, high] = value;
  const [shown, setShown] = useState<Range>(value);
  useEffect(() => setShown([low, high]), [low, high]);
  const [from, to] = shown;
  const range = ([first = min, last = max]: number[]): Range => [
    first === max ? Math.max(first, from) : first,
    last === max ? Math.max(last, to) : last,
  ];

  return (
    <>
      <Slider.Root
        className={styles.slider}
        {...{ min, max, step }}
        value={[Math.min(from, max), Math.min(to, max)]}
        onValueChange={(next) => setShown(range(next))}
        onValueCommit={(next) => onCommit(range(next))}
      >
        <Slider.Track className={styles.track}>
          <Slider.Range className={styles.range} />
        </Slider.Track>
        <Slider.Thumb
          className={styles.thumb}
          aria-label="Lowest price"
          aria-valuetext={formatAmount(from)}
        />
        <Slider.Thumb
          className={styles.thumb}
          aria-label="Highest price"
          aria-valuetext={formatAmount(to)}
        />
      </Slider.Root>
      <TypedRange {...{ min, max, most, shown, onCommit }} />
    </>
  );
}

interface TypedRangeProps extends Pick<RangeSliderProps, 'min' | 'max' | 'onCommit'> {
  readonly most: number;
  readonly shown: Range;
}

type End = 'from' | 'to';

/** The ends of the range as inputs. A typed value counts on blur or Enter. */
function TypedRange({ min, max, most, shown, onCommit }: TypedRangeProps) {
  const id = useId();
  const [typed, setTyped] = useState<{ readonly end: End; readonly text: string }>();
  const [wrong, setWrong] = useState<{ readonly end: End; readonly message: string }>();
  const [from, to] = shown;
  /** The highest price that the lower end may have: the upper end, or `most` while the upper end is untouched. */
  const top = to === max ? most : to;

  const commit = (end: End) => {
    if (typed?.end !== end) return;
    const problem = validate(end, typed.text);
    setWrong(problem === undefined ? undefined : { end, message: problem });
    if (problem !== undefined) return;
    const amount = Number(parseNaira(typed.text));
    setTyped(undefined);
    if (amount !== (end === 'from' ? from : to))
      onCommit(end === 'from' ? [amount, amount > to ? top : to] : [from, amount]);
  };
  const validate = (end: End, text: string): string | undefined => {
    const digits = parseNaira(text);
    const amount = Number(digits);
    if (digits === '') return 'Type a price in whole naira, such as 5,000.';
    if (amount < min || amount > most)
      return `Type a price from ${formatAmount(min)} to ${formatAmount(most)}.`;
    if (end === 'from' && amount > top)
      return `Type ${formatAmount(to)} or less, or raise the highest first.`;
    if (end === 'to' && amount < from)
      return `Type ${formatAmount(from)} or more, or lower the lowest first.`;
    return undefined;
  };
  const field = (end: End, amount: number) => (
    <input
      className={classes(styles.bound, layout.figures)}
      aria-label={`Price ${end}, in naira`}
      aria-invalid={wrong?.end === end || undefined}
      aria-describedby={wrong?.end === end ? id : undefined}
      inputMode="numeric"
      autoComplete="off"
      value={typed?.end === end ? typed.text : formatAmount(amount)}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped({ end, text: event.target.value })}
      onBlur={() => commit(end)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(end);
        if (event.key !== 'Escape' || typed === undefined) return;
        // Escape restores the value, and must not close the filter drawer.
        event.preventDefault();
        setTyped(undefined);
        setWrong(undefined);
      }}
    />
  );
  return (
    <>
      <div className={`${layout.row} ${layout.spaceBetween}`}>
        {field('from', from)}
        <span className={layout.muted}>to</span>
        {field('to', to)}
      </div>
      <div id={id} aria-live="polite">
        {wrong && <Message kind="err">{wrong.message}</Message>}
      </div>
    </>
  );
}
