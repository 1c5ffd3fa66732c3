import Autoplay from 'embla-carousel-autoplay';
import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react';
import { type RefObject, useEffect, useState } from 'react';
import { useReducedMotion } from './use-browser.js';
import { useHoverOrFocus } from './use-hover-or-focus.js';

/** How long a slide stays, in ms. */
const AUTOPLAY_MS = 2_000;

export type CarouselApi = UseEmblaCarouselType[1];

interface CarouselDriverProps {
  /** The whole carousel: it stops while the pointer is over it or it contains the focus. */
  readonly box: RefObject<HTMLElement | null>;
  readonly viewport: RefObject<HTMLElement | null>;
  readonly paused: boolean;
  readonly onApi: (api: CarouselApi) => void;
  /** The first slide in view, counted from 1. */
  readonly onPlace: (place: number) => void;
}

/** Takes over a rail that the page already shows, and decides instead of the plug-in when it moves. */
export default function CarouselDriver({
  box,
  viewport,
  paused,
  onApi,
  onPlace,
}: CarouselDriverProps) {
  const held = useHoverOrFocus(box);
  const moving = !paused && !held;
  const still = useReducedMotion();
  const [plugins] = useState(() => [
    Autoplay({
      delay: AUTOPLAY_MS,
      playOnInit: false,
      stopOnFocusIn: false,
      stopOnInteraction: true,
    }),
  ]);
  const [attach, api] = useEmblaCarousel(
    { loop: true, align: 'start', ...(still && { duration: 0 }) },
    plugins,
  );

  useEffect(() => {
    if (viewport.current === null) return;
    viewport.current.scrollLeft = 0;
    attach(viewport.current);
    return () => attach(null);
  }, [viewport, attach]);

  useEffect(() => {
    onApi(api);
    return () => onApi(undefined);
  }, [api, onApi]);

  useEffect(() => {
    if (api === undefined) return;
    const autoplay = api.plugins().autoplay;
    // When all slides fit in view there is nowhere to move, and the plug-in was never started.
    const apply = () => {
      if (api.scrollSnapList().length < 2) return;
      if (moving) autoplay?.play(still);
      else autoplay?.stop();
    };
    apply();
    api.on('pointerUp', apply).on('reInit', apply);
    return () => {
      api.off('pointerUp', apply).off('reInit', apply);
    };
  }, [api, moving, still]);

  useEffect(() => {
    if (api === undefined) return;
    const selected = () => onPlace(api.selectedScrollSnap() + 1);
    selected();
    api.on('select', selected).on('reInit', selected);
    return () => {
      api.off('select', selected).off('reInit', selected);
    };
  }, [api, onPlace]);

  return null;
}
