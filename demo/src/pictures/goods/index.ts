import type { Models } from '../studio/scene.js';
import { accessories } from './accessories.js';
import { bags } from './bags.js';
import { hairCombs, soaps, sponges } from './care.js';
import { garments } from './clothes.js';
import { fans, fridges, handFans } from './cooling.js';
import { decoders } from './decoders.js';
import { keyboards, mice, printers } from './desk.js';
import { discs, tapes } from './discs.js';
import { prints, yarns } from './fabrics.js';
import { joysticks, pads } from './gaming.js';
import { jewels } from './jewellery.js';
import { laptops } from './laptops.js';
import { compacts, lipsticks } from './make-up.js';
import { perfumes } from './perfumes.js';
import { phones, tablets } from './phones-and-tablets.js';
import { pots } from './pots.js';
import { banks, chargers } from './power.js';
import { shoes } from './shoes.js';
import { headphones, radios } from './sound.js';
import { televisions } from './televisions.js';
import { watches } from './watches.js';

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
  shoe: shoes,
  garment: garments,
  cloth: prints,
  yarn: yarns,
  bag: bags,
  watch: watches,
  headphones,
  radio: radios,
  powerbank: banks,
  charger: chargers,
  gamepad: pads,
  joystick: joysticks,
  disc: discs,
  tape: tapes,
  decoder: decoders,
  keyboard: keyboards,
  mouse: mice,
  printer: printers,
  jewel: jewels,
  lipstick: lipsticks,
  mirror: compacts,
  soap: soaps,
  sponge: sponges,
  comb: hairCombs,
  wear: accessories,
} as const satisfies Record<string, Models>;
