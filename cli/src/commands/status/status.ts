import type { Ground } from '../../market/part.js';
import { figuresOf, type MarketFigures } from './figures.js';
import { problemsOf } from './problems.js';

export type MarketStatus = MarketFigures & { readonly problems: readonly string[] };

/** Everything an operator looks at first, as this machine's files tell it. */
export async function marketStatus(ground: Ground): Promise<MarketStatus> {
  const figures = await figuresOf(ground);
  return { ...figures, problems: problemsOf(figures) };
}
