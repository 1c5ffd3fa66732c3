import * as Slider from '@radix-ui/react-slider';
import { useEffect, useState } from 'react';
import * as layout from './layout.module.css';
import { Naira } from './Price.js';
import * as styles from './RangeSlider.module.css';

type Range = readonly [from: number, to: number];

interface RangeSliderProps {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: Range;
  /** Said once, when the thumb is let go or a key was pressed. */
  readonly onCommit: (value: Range) => void;
  /** What is chosen, for readers: 'price'. */
  readonly of?: string;
}

/** Two thumbs on one track, and the two figures in naira below. */
export function RangeSlider({ min, max, step, value, onCommit, of = 'price' }: RangeSliderProps) {
  const [low, high] = value;
  const [shown, setShown] = useState<Range>(value);
  useEffect(() => setShown([low, high]), [low, high]);
  const range = ([from = min, to = max]: number[]): Range => [from, to];

  return (
    <>
      <Slider.Root
        className={styles.slider}
        {...{ min, max, step }}
        value={[...shown]}
        onValueChange={(next) => setShown(range(next))}
        onValueCommit={(next) => onCommit(range(next))}
      >
        <Slider.Track className={styles.track}>
          <Slider.Range className={styles.range} />
        </Slider.Track>
        <Slider.Thumb className={styles.thumb} aria-label={`Lowest ${of}`} />
        <Slider.Thumb className={styles.thumb} aria-label={`Highest ${of}`} />
      </Slider.Root>
      <div className={`${layout.row} ${layout.spaceBetween}`}>
        <span className={`${styles.bound} ${layout.figures}`}>
          <Naira amount={shown[0]} />
        </span>
        <span className={layout.muted}>to</span>
        <span className={`${styles.bound} ${layout.figures}`}>
          <Naira amount={shown[1]} />
        </span>
      </div>
    </>
  );
}
