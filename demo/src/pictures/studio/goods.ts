import type { Draw } from './scene.js';

/** The views of a product, the title picture first. */
export const VIEWS = ['front', 'side', 'detail', 'box'] as const;
export type View = (typeof VIEWS)[number];

/** The views of a model: every model has three, and a model sold in a box has four. */
export interface Drawn {
  readonly front: Draw;
  readonly side: Draw;
  readonly detail: Draw;
  readonly box?: Draw;
}

/** Models of one type of goods, by name. */
export type Models = Readonly<Record<string, Drawn>>;

/** Applies the same drawings to each model of a table: the differences between models are data. */
export const models = <M>(table: Readonly<Record<string, M>>, draw: (model: M) => Drawn): Models =>
  Object.fromEntries(Object.entries(table).map(([name, model]) => [name, draw(model)]));
