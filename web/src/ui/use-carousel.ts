import type { UseEmblaCarouselType } from 'embla-carousel-react';
import { useEffect, useState } from 'react';
import { useReducedMotion } from './use-media.js';

export type CarouselApi = UseEmblaCarouselType[1];

interface Holding {
  /** Under the pointer, or something in it has focus. */
  readonly held: boolean;
  readonly items: number;
}

/** Whether a carousel moves, and where it is. */
export function useCarousel(api: CarouselApi, { held, items }: Holding) {
  const still = useReducedMotion();
  const [pausedBy, setPausedBy] = useState<boolean>();
  const [place, setPlace] = useState(1);
  const paused = pausedBy ?? still;
  const moving = !paused && !held;

  useEffect(() => {
    if (api === undefined) return;
    const autoplay = api.plugins().autoplay;
    const apply = () => (moving ? autoplay?.play(still) : autoplay?.stop());
    apply();
    api.on('pointerUp', apply).on('reInit', apply);
    return () => {
      api.off('pointerUp', apply).off('reInit', apply);
    };
  }, [api, moving, still]);

  useEffect(() => {
    if (api === undefined) return;
    const selected = () => setPlace(api.selectedScrollSnap() + 1);
    selected();
    api.on('select', selected).on('reInit', selected);
    return () => {
      api.off('select', selected).off('reInit', selected);
    };
  }, [api]);

  const count = Math.max(1, api?.scrollSnapList().length ?? items);
  return { place: Math.min(place, count), count, paused, setPaused: setPausedBy };
}
