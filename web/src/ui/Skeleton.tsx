import type { CSSProperties } from 'react';
import { classes } from './classes.js';

interface SkeletonProps {
  /** The final size, so that nothing moves when the content arrives. */
  readonly width?: CSSProperties['width'];
  readonly height?: CSSProperties['height'];
  readonly className?: string;
}

/** A box with drifting water where something is still loading; hidden from readers. */
export function Skeleton({ width, height, className }: SkeletonProps) {
  return <div className={classes('sk', className)} style={{ width, height }} aria-hidden="true" />;
}
