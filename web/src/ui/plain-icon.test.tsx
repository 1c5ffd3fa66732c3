import { render } from '@testing-library/react';
import { X } from 'lucide-react';
import { expect, it } from 'vitest';
import { Icon } from './Icon.js';
import createLucideIcon from './plain-icon.js';

it('draws the same shapes as the package does, and takes over class, size and name', () => {
  // As builds leave the data of an icon: without keys.
  const Plain = createLucideIcon({
    node: [
      ['path', { d: 'M18 6 6 18' }],
      ['path', { d: 'm6 6 12 12' }],
    ],
  });
  const drawn = (icon: typeof X) => {
    const { container } = render(<Icon of={icon} size="l" label="Close" className="mine" />);
    const svg = container.querySelector('svg');
    const names = ['viewBox', 'data-size', 'role', 'aria-label', 'aria-hidden'];
    return [svg?.innerHTML, ...names.map((name) => svg?.getAttribute(name))];
  };
  expect(drawn(Plain as unknown as typeof X)).toEqual(drawn(X));
  expect(console.error).not.toHaveBeenCalled();
});
