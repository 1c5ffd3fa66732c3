import type { Models } from '../studio/goods.js';
import { fans, fridges, handFans } from './cooling.js';
import { laptops } from './laptops.js';
import { perfumes } from './perfumes.js';
import { phones, tablets } from './phones-and-tablets.js';
import { pots } from './pots.js';
import { televisions } from './televisions.js';

/** Every type of goods that is drawn, with its models. */
export const GOODS = {
  phone: phones,
  tablet: tablets,
  laptop: laptops,
  tv: televisions,
  fan: fans,
  fridge: fridges,
  handfan: handFans,
  perfume: perfumes,
  pot: pots,
} as const satisfies Record<string, Models>;
