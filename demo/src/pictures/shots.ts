import { GOODS } from './goods/index.js';
import { COLOURS, type ColourName, colourNamed } from './studio/colours.js';
import { type Drawn, GROUNDS, VIEWS, type View } from './studio/scene.js';

/** One picture of one model: everything needed to draw it again. */
interface Shot {
  /** A type of goods and a model of it, such as `phone/spark`. */
  readonly drawing: string;
  readonly colour: ColourName;
  readonly view: View;
  /** Index of the studio, from 0 up to but excluding `GROUNDS`. */
  readonly ground: number;
}

/** The drawing of `type/model`; undefined when there is no such model. */
export function drawingOf(drawing: string): Drawn | undefined {
  const [type = '', model = ''] = drawing.split('/');
  const models = Object.entries(GOODS).find(([name]) => name === type)?.[1] ?? {};
  return Object.hasOwn(models, model) ? models[model] : undefined;
}

/** The views in which a drawing is shown, the title picture first. */
export const viewsOf = (drawn: Drawn): readonly View[] =>
  VIEWS.filter((view) => drawn[view] !== undefined);

/** `sample-<type>-<model>-<colour>-<view>-<ground>.webp`. */
export const shotName = ({ drawing, colour, view, ground }: Shot): string =>
  `sample-${drawing.replace('/', '-')}-${colour}-${view}-${ground}.webp`;

const NAME = /^sample-([a-z]+)-([a-z]+)-([a-z]+)-([a-z]+)-(\d)\.webp$/;

/** The picture a name stands for; null unless `shotName` could have made exactly this name. */
export function parseShot(name: string): Shot | null {
  const [whole, type, model, word = '', seen, ground = ''] = NAME.exec(name) ?? [];
  const drawing = `${type}/${model}`;
  const drawn = drawingOf(drawing);
  const colour = colourNamed(word);
  const view = VIEWS.find((one) => one === seen);
  if (whole !== name || drawn === undefined || colour === null || view === undefined) return null;
  if (drawn[view] === undefined || Number(ground) >= GROUNDS) return null;
  return { drawing, colour, view, ground: Number(ground) };
}

/** The colour of a picture's goods, as `#rrggbb`. */
export const hexOf = ({ colour }: Shot): string => COLOURS[colour];
