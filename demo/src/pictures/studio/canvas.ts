/** A stop of a gradient: its position from 0 to 1, its colour and its opacity. */
type Stop = readonly [at: number, colour: string, opacity?: number];

/**
 * The definitions that a drawing needs besides its shapes: gradients, patterns and clips, each
 * defined once. Coordinates are those of the artboard, 400 by 400.
 */
export interface Canvas {
  /** A gradient across the shape it fills; 0 degrees runs to the right, 90 down. */
  readonly linear: (degrees: number, ...stops: readonly Stop[]) => string;
  /** A radial gradient on the shape it fills; `cx`, `cy` and `r` are fractions of the shape. */
  readonly radial: (cx: number, cy: number, r: number, ...stops: readonly Stop[]) => string;
  /** A repeating tile. */
  readonly pattern: (width: number, height: number, tile: string, transform?: string) => string;
  /** Shows `art` only within the path `d`. */
  readonly within: (d: string, art: string) => string;
  /** Blurs `art`; for light and shade only, because it is slow. */
  readonly soft: (deviation: number, art: string) => string;
  readonly definitions: () => string;
}

export const ARTBOARD = 400;

const stopsOf = (stops: readonly Stop[]): string =>
  stops
    .map(
      ([at, colour, opacity = 1]) =>
        `<stop offset="${at}" stop-color="${colour}"${opacity === 1 ? '' : ` stop-opacity="${opacity}"`}/>`,
    )
    .join('');

export function createCanvas(): Canvas {
  const ids = new Map<string, string>();
  /** `make` writes the definition with the given id; equal definitions are kept once. */
  function defined(make: (id: string) => string): string {
    const known = make('');
    const id = ids.get(known) ?? `d${ids.size}`;
    ids.set(known, id);
    made.set(id, make(id));
    return id;
  }
  const made = new Map<string, string>();
  return {
    linear(degrees, ...stops) {
      const angle = (degrees * Math.PI) / 180;
      const [dx, dy] = [Math.cos(angle) / 2, Math.sin(angle) / 2].map((part) => +part.toFixed(3));
      const ends = `x1="${0.5 - (dx ?? 0)}" y1="${0.5 - (dy ?? 0)}" x2="${0.5 + (dx ?? 0)}" y2="${0.5 + (dy ?? 0)}"`;
      return `url(#${defined((id) => `<linearGradient id="${id}" ${ends}>${stopsOf(stops)}</linearGradient>`)})`;
    },
    radial(cx, cy, r, ...stops) {
      const place = `cx="${cx}" cy="${cy}" r="${r}"`;
      return `url(#${defined((id) => `<radialGradient id="${id}" ${place}>${stopsOf(stops)}</radialGradient>`)})`;
    },
    pattern(width, height, tile, transform = '') {
      const size = `width="${width}" height="${height}" patternUnits="userSpaceOnUse" patternTransform="${transform}"`;
      return `url(#${defined((id) => `<pattern id="${id}" ${size}>${tile}</pattern>`)})`;
    },
    within(d, art) {
      const id = defined((name) => `<clipPath id="${name}"><path d="${d}"/></clipPath>`);
      return `<g clip-path="url(#${id})">${art}</g>`;
    },
    soft(deviation, art) {
      const id = defined(
        (name) =>
          `<filter id="${name}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`,
      );
      return `<g filter="url(#${id})">${art}</g>`;
    },
    definitions: () => [...made.values()].join(''),
  };
}
