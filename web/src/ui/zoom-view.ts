/** How a picture stands in its box: scaled from its fitted size, and moved by px from the centre. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** A point in the box, counted from its centre, or a distance across it. In px. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The box's size in px. */
interface Box {
  readonly width: number;
  readonly height: number;
}

export const fitting: View = { scale: 1, x: 0, y: 0 };

/** The largest scale. Beyond it the pixels of a phone's photo become visible. */
const MOST = 4;

const within = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value));

/** Limits the offset, so that no edge of the picture moves inside the box. */
function held({ scale, x, y }: View, { width, height }: Box): View {
  const [across, along] = [((scale - 1) * width) / 2, ((scale - 1) * height) / 2];
  return { scale, x: within(x, -across, across), y: within(y, -along, along) };
}

/** Scales by a factor; what is at the point stays there. */
export function zoomed(view: View, factor: number, at: Point, box: Box): View {
  const scale = within(view.scale * factor, 1, MOST);
  const grown = scale / view.scale;
  return held({ scale, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown }, box);
}

/** Moves the picture by px; its edges stay outside of the box. */
export function moved(view: View, by: Point, box: Box): View {
  return held({ ...view, x: view.x + by.x, y: view.y + by.y }, box);
}

const middle = (one: Point, other: Point): Point => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
});
const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

type Fingers = readonly [Point, Point];

/** Two fingers moved: what was between them stays between them. */
export function pinched(view: View, before: Fingers, after: Fingers, box: Box): View {
  const [from, to] = [middle(...before), middle(...after)];
  const factor = distance(...after) / Math.max(1, distance(...before));
  return moved(zoomed(view, factor, from, box), { x: to.x - from.x, y: to.y - from.y }, box);
}
