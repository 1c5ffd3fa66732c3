import * as styles from './BarChart.module.css';

interface Bar {
  readonly key: string;
  readonly value: number;
  /** The tooltip. */
  readonly tip: string;
}

interface BarChartProps {
  /** From left to right. */
  readonly bars: readonly Bar[];
  /** What the chart shows, in a sentence for screen readers; a table with the figures stands beside it. */
  readonly label: string;
  /** The amount of the highest bar, in words. */
  readonly highest: string;
  /** The labels below the first and the last bar. */
  readonly ends: readonly [first: string, last: string];
}

/** The height in SVG units; the width is one unit per bar. The style sheet stretches the drawing. */
const HEIGHT = 100;
/** The least height of a bar that is not 0, so that it can be seen. */
const MIN_HEIGHT = 1.5;
const GAP = 0.2;

/** Columns for amounts over time. */
export function BarChart({ bars, label, highest, ends }: BarChartProps) {
  const maximum = Math.max(...bars.map(({ value }) => value), 1);
  return (
    <div className={styles.chart}>
      <p className={styles.highest} aria-hidden="true">
        {highest}
      </p>
      <svg
        viewBox={`0 0 ${bars.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {[0, HEIGHT / 2].map((y) => (
          <line key={y} x1="0" x2={bars.length} y1={y} y2={y} vectorEffect="non-scaling-stroke" />
        ))}
        <g className={styles.bars}>
          {bars.map(({ key, value, tip }, place) => {
            const height = value === 0 ? 0 : Math.max((value / maximum) * HEIGHT, MIN_HEIGHT);
            return (
              <g key={key}>
                <title>{tip}</title>
                <rect className={styles.column} x={place} width="1" height={HEIGHT} />
                <rect x={place + GAP / 2} width={1 - GAP} y={HEIGHT - height} height={height} />
              </g>
            );
          })}
        </g>
      </svg>
      <p className={styles.ends} aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
    </div>
  );
}
