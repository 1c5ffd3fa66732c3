import type { Line } from '../line.js';
import { bags } from './bags.js';
import { clothAccessories } from './cloth-accessories.js';
import { clothings } from './clothings.js';
import { cream } from './cream.js';
import { decoder } from './decoder.js';
import { dvds } from './dvds.js';
import { fabrics } from './fabrics.js';
import { footwears } from './footwears.js';
import { fridgeAndFans } from './fridge-and-fans.js';
import { gamingGadgets } from './gaming-gadgets.js';
import { jewellery } from './jewellery.js';
import { laptop } from './laptop.js';
import { laptopAccessories } from './laptop-accessories.js';
import { makeUp } from './make-up.js';
import { phoneAccessories } from './mobile-phone-accessories.js';
import { mobilePhones } from './mobile-phones.js';
import { mp3Players } from './mp3-players.js';
import { perfume } from './perfume.js';
import { soapAndBody } from './soap-and-body.js';
import { tablet } from './tablet.js';
import { tvs } from './tvs.js';
import { watches } from './watches.js';
import { wigAndHairCream } from './wig-and-hair-cream.js';

/** What sample sellers offer, by subcategory id. */
export const LINES: Readonly<Record<number, readonly Line[]>> = {
  1: bags,
  2: clothings,
  3: watches,
  4: clothAccessories,
  5: footwears,
  6: jewellery,
  7: fabrics,
  13: soapAndBody,
  14: cream,
  15: perfume,
  16: wigAndHairCream,
  17: makeUp,
  18: mobilePhones,
  19: laptop,
  20: phoneAccessories,
  21: tablet,
  22: laptopAccessories,
  23: gamingGadgets,
  24: tvs,
  25: dvds,
  26: decoder,
  27: mp3Players,
  28: fridgeAndFans,
};
