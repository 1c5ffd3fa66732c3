import { createElement, type SVGProps } from 'react';

interface IconData {
  /** The shapes: name of an SVG element, and its attributes. */
  readonly node: readonly (readonly [string, Readonly<Record<string, string>>])[];
}

/**
 * Makes the component of an icon, in builds in place of the function of lucide-react. That one also serves
 * sizes, colours and strokes from properties and a context; ours all come from Icon.module.css.
 */
export default function createLucideIcon({ node }: IconData) {
  const shapes = node.map(([name, attributes]) => createElement(name, attributes));
  return (own: SVGProps<SVGSVGElement>) =>
    createElement('svg', { viewBox: '0 0 24 24', ...own }, ...shapes);
}
