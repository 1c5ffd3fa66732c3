import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Markers } from './follow.js';

describe('What is announced beside the events', () => {
  it('comes out exactly where it was said, however far ahead of the reader it was said', () => {
    // Each step: an event or an announcement arrives, or the reader takes what is next.
    const steps = fc.array(fc.constantFrom('event', 'marker', 'take'), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (story) => {
        const markers = new Markers<string>();
        const arrived: string[] = [];
        const waiting: string[] = [];
        const taken: string[] = [];
        let events = 0;
        const take = (): boolean => {
          const marker = markers.due(events);
          const next = marker ?? waiting.shift();
          if (next === undefined) return false;
          if (marker === null) events += 1;
          taken.push(next);
          return true;
        };
        story.forEach((step, index) => {
          if (step === 'take') take();
          else arrived.push(`${step} ${index}`);
          if (step === 'event') waiting.push(`event ${index}`);
          if (step === 'marker') markers.put(`marker ${index}`, events + waiting.length);
        });
        while (take());
        expect(taken).toEqual(arrived);
      }),
    );
  });
});
