import type { Line } from '../line.js';

export const watches: readonly Line[] = [
  {
    name: 'Field watch, {color} strap, 5 ATM',
    object: 'watch',
    price: [21_000, 29_000],
    attributes: { brand: 'Naviforce', gender: 'Male', type: 'Analogue', water_resistance: 1 },
    about: 'Steel case of 42 mm and hands that glow. Fine in rain and for washing hands.',
  },
  {
    name: 'Ladies dress watch, {color}',
    object: 'watch',
    price: [14_500, 22_000],
    attributes: { brand: 'Curren', gender: 'Female', type: 'Analogue', water_resistance: 0 },
    about: 'Slim case of 32 mm on a soft strap. Keep it away from water.',
  },
  {
    name: 'Sports stopwatch, {color}',
    object: 'stopwatch',
    price: [6_500, 9_500],
    attributes: { brand: 'Kadio', gender: 'Unisex', type: 'Stopwatch', water_resistance: 1 },
    about: 'Hundredths of a second and lap times. The cord and a spare battery are in the box.',
  },
  {
    name: 'Casio classic watch, {color}',
    object: 'watch',
    price: [17_000, 26_000],
    attributes: { brand: 'Casio', gender: 'Unisex', type: 'Analogue', water_resistance: 1 },
    about: 'Light resin case and a battery that lasts about ten years.',
  },
  {
    name: 'School timer watch, {color}',
    object: 'watch',
    price: [5_000, 7_500],
    attributes: { brand: 'Skmei', gender: 'Unisex', type: 'Analogue', water_resistance: 1 },
    about: 'Big clear numerals for children learning to tell the time.',
  },
  {
    name: 'Automatic skeleton watch, {color}',
    object: 'watch',
    price: [48_000, 69_000],
    attributes: { brand: 'Forsining', gender: 'Male', type: 'Automatic', water_resistance: 0 },
    about: 'Wound by the movement of the wrist; the works show through the back.',
  },
  {
    name: 'Coach stopwatch with memory of {laps} laps, {color}',
    object: 'stopwatch',
    price: [9_500, 14_000],
    attributes: { brand: 'Leap', gender: 'Unisex', type: 'Stopwatch', water_resistance: 1 },
    choices: { laps: ['30', '60', '100'] },
    dearer: 'laps',
    about: 'Made for athletics coaches; the laps can be called up afterwards.',
  },
  {
    name: 'Couple watch, one piece, {color}',
    object: 'watch',
    price: [12_000, 18_000],
    attributes: { brand: 'Naviforce', gender: 'Unisex', type: 'Analogue', water_resistance: 1 },
    about: 'Sold singly, so order two for a pair. Comes in a gift box.',
  },
];
