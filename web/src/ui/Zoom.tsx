import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react';
import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { IconButton } from './Button.js';
import { Dialog } from './Dialog.js';
import * as layout from './layout.module.css';
import { Picture } from './Picture.js';
import * as styles from './Zoom.module.css';

/** Zoom factor of a button press or key. */
const STEP = 1.5;
/** Zoom factor of a double tap. */
const DOUBLE_TAP_FACTOR = 2.5;
/** How far an arrow key moves the picture, in px. */
const ARROW_PX = 80;
/** A finger that moves less than this has not swiped. In px. */
const SWIPE_PX = 40;
const TAP_PX = 10;
/** Two taps within this time are a double tap. In ms. */
const DOUBLE_TAP_MS = 300;
const CENTRE: Point = { x: 0, y: 0 };

interface ZoomProps {
  readonly urls: readonly string[];
  /** The product's name, for the title and the alternative text. */
  readonly name: string;
  readonly at: number;
  /** Shows the next picture, or the previous one. */
  readonly onTurn: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

/** A product's picture as large as the window, and larger: by fingers, wheel, buttons or keys. */
export default function Zoom({ urls, name, at, onTurn, onClose }: ZoomProps) {
  const stage = useRef<HTMLDivElement>(null);
  const { view, zoom, ...handlers } = usePanAndZoom(stage, `${at}`, onTurn);
  const url = urls[at];
  const turns = urls.length > 1;
  return (
    <Dialog
      open
      full
      title={name}
      onClose={onClose}
      className={styles.zoom}
      foot={
        <div className={`${layout.row} ${layout.spaceBetween}`}>
          {turns && (
            <IconButton of={ChevronLeft} label="Previous picture" onClick={() => onTurn(-1)} />
          )}
          <IconButton of={ZoomOut} label="Smaller" onClick={() => zoom(1 / STEP)} />
          <span className={`${layout.figures} ${layout.centered} ${layout.grow}`} role="status">
            <span className={layout.visuallyHidden}>Picture </span>
            {at + 1}/{urls.length}, {Math.round(view.scale * 100)} %
          </span>
          <IconButton of={ZoomIn} label="Larger" onClick={() => zoom(STEP)} />
          {turns && <IconButton of={ChevronRight} label="Next picture" onClick={() => onTurn(1)} />}
        </div>
      }
    >
      <div ref={stage} className={styles.stage} {...handlers}>
        <div
          key={url}
          className={styles.picture}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        >
          {/* The size that the page has shown already, until the full picture has loaded over it. */}
          <Picture url={url} alt="" width={640} sizes="640px" draggable={false} />
          <img src={url} alt={`${name}, ${at + 1} of ${urls.length}`} draggable={false} />
        </div>
      </div>
    </Dialog>
  );
}

/** The picture's position and scale, and the handlers that change them. A new picture starts fitted. */
function usePanAndZoom(
  stage: RefObject<HTMLDivElement | null>,
  picture: string,
  onTurn: (by: 1 | -1) => void,
) {
  const [{ of, view }, setShown] = useState({ of: picture, view: INITIAL_VIEW });
  const shown = of === picture ? view : INITIAL_VIEW;
  const change = (next: (view: View, box: DOMRect) => View) => {
    const box = stage.current?.getBoundingClientRect();
    if (box === undefined) return;
    setShown((now) => ({
      of: picture,
      view: next(now.of === picture ? now.view : INITIAL_VIEW, box),
    }));
  };
  const zoom = (factor: number, at = CENTRE) =>
    change((now, box) => zoomView(now, factor, at, box));
  const move = (by: Point) => change((now, box) => moveView(now, by, box));
  /** The point of an event on the stage, in px from its centre. */
  const toStagePoint = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = stage.current?.getBoundingClientRect() ?? new DOMRect();
    return { x: clientX - box.x - box.width / 2, y: clientY - box.y - box.height / 2 };
  };

  /** @returns whether the key was handled */
  const pressKey = (name: string): boolean => {
    const [across, along] = arrows[name] ?? [0, 0];
    if (name === '+' || name === '=') zoom(STEP);
    else if (name === '-') zoom(1 / STEP);
    else if (name === '0') change(() => INITIAL_VIEW);
    else if (across === 0 && along === 0) return false;
    else if (shown.scale > 1) move({ x: -across * ARROW_PX, y: -along * ARROW_PX });
    else if (across !== 0) onTurn(across);
    return true;
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (pressKey(event.key)) event.preventDefault();
  });
  // A native listener, because the browser would zoom the page and React's wheel listener is passive.
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    zoom(2 ** (-event.deltaY / 300), toStagePoint(event));
  });
  useEffect(() => {
    const box = stage.current;
    document.addEventListener('keydown', onKey);
    box?.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      document.removeEventListener('keydown', onKey);
      box?.removeEventListener('wheel', onWheel);
    };
  }, [stage]);

  const fingers = useGestures(toStagePoint, {
    onMove: move,
    onPinch: (before, after) => change((now, box) => pinchView(now, before, after, box)),
    onDoubleTap: (at) =>
      change((now, box) =>
        now.scale > 1 ? INITIAL_VIEW : zoomView(now, DOUBLE_TAP_FACTOR, at, box),
      ),
    onSwipe: (by) => shown.scale === 1 && onTurn(by),
  });
  return { view: shown, zoom, ...fingers };
}

const arrows: Readonly<Record<string, readonly [across: 1 | -1 | 0, along: 1 | -1 | 0]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Where two fingers are. */
type Pair = readonly [Point, Point];

interface GestureHandlers {
  readonly onMove: (by: Point) => void;
  readonly onPinch: (before: Pair, after: Pair) => void;
  readonly onDoubleTap: (at: Point) => void;
  readonly onSwipe: (by: 1 | -1) => void;
}

/** The gestures of fingers, or of a mouse with its button held, on the stage. */
function useGestures(toStagePoint: (event: PointerEvent) => Point, handlers: GestureHandlers) {
  /** Pointer id → current position, for every pointer that is down. */
  const down = useRef(new Map<number, Point>());
  /** Where a pointer came down alone; undefined once a second one is down. */
  const alone = useRef<Point>(undefined);
  const tapped = useRef({ at: Number.NEGATIVE_INFINITY });
  const pair = (): Pair | undefined => {
    const [one, other] = [...down.current.values()];
    return one && other && [one, other];
  };
  const end = (event: PointerEvent, isOver: boolean) => {
    const from = alone.current;
    down.current.delete(event.pointerId);
    alone.current = undefined;
    if (from === undefined || !isOver) return;
    const to = toStagePoint(event);
    const [across, along] = [to.x - from.x, to.y - from.y];
    if (Math.hypot(across, along) < TAP_PX) {
      const again = event.timeStamp - tapped.current.at < DOUBLE_TAP_MS;
      tapped.current.at = again ? Number.NEGATIVE_INFINITY : event.timeStamp;
      if (again) handlers.onDoubleTap(to);
    } else if (Math.abs(across) > SWIPE_PX && Math.abs(across) > Math.abs(along))
      handlers.onSwipe(across < 0 ? 1 : -1);
  };
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, toStagePoint(event));
      alone.current = down.current.size === 1 ? toStagePoint(event) : undefined;
    },
    onPointerMove(event: PointerEvent) {
      const from = down.current.get(event.pointerId);
      if (from === undefined) return;
      const to = toStagePoint(event);
      const before = pair();
      down.current.set(event.pointerId, to);
      const after = pair();
      if (before && after) handlers.onPinch(before, after);
      else handlers.onMove({ x: to.x - from.x, y: to.y - from.y });
    },
    onPointerUp: (event: PointerEvent) => end(event, true),
    onPointerCancel: (event: PointerEvent) => end(event, false),
  };
}

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

export const INITIAL_VIEW: View = { scale: 1, x: 0, y: 0 };

/** The largest scale. Beyond it the pixels of a phone's photo become visible. */
const MAX_SCALE = 4;

const clamp = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value));

/** Limits the offset, so that no edge of the picture moves inside the box. */
function clampOffset({ scale, x, y }: View, { width, height }: Box): View {
  const [across, along] = [((scale - 1) * width) / 2, ((scale - 1) * height) / 2];
  return { scale, x: clamp(x, -across, across), y: clamp(y, -along, along) };
}

/** Scales by a factor; what is at the point stays there. */
export function zoomView(view: View, factor: number, at: Point, box: Box): View {
  const scale = clamp(view.scale * factor, 1, MAX_SCALE);
  const grown = scale / view.scale;
  return clampOffset(
    { scale, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown },
    box,
  );
}

/** Moves the picture by px; its edges stay outside of the box. */
export function moveView(view: View, by: Point, box: Box): View {
  return clampOffset({ ...view, x: view.x + by.x, y: view.y + by.y }, box);
}

const middle = (one: Point, other: Point): Point => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
});
const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

/** Two fingers moved: what was between them stays between them. */
export function pinchView(view: View, before: Pair, after: Pair, box: Box): View {
  const [from, to] = [middle(...before), middle(...after)];
  const factor = distance(...after) / Math.max(1, distance(...before));
  return moveView(zoomView(view, factor, from, box), { x: to.x - from.x, y: to.y - from.y }, box);
}
