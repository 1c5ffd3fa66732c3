import Autoplay from 'embla-carousel-autoplay';
import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react';
import { type RefObject, useEffect, useState } from 'react';
import { useReducedMotion } from './use-browser.js';

/** How long goods stand before the next come, in ms. */
const AUTOPLAY_MS = 2_000;

export type CarouselApi = UseEmblaCarouselType[1];

interface CarouselDriverProps {
  readonly viewport: RefObject<HTMLElement | null>;
  readonly onApi: (api: CarouselApi) => void;
}

/** Takes over a rail that the page already shows. When to move is decided by `useCarousel`, not by the plug-in. */
export default function CarouselDriver({ viewport, onApi }: CarouselDriverProps) {
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

  return null;
}
