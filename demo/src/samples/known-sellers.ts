/**
 * A seller as the generator's tables describe one: who, what they sell and where they keep shop.
 */
export interface KnownSeller {
  readonly name: string;
  readonly businessName: string;
  readonly localGovt: string;
  /** Subcategory ids. */
  readonly sells: readonly number[];
}

/**
 * The first twelve sellers are always these, whatever the seed, so that they can be named in print.
 */
export const KNOWN_SELLERS: readonly KnownSeller[] = [
  {
    name: 'Adunni Bakare',
    businessName: 'Adunni Textiles',
    localGovt: 'Surulere',
    sells: [7, 2, 1],
  },
  {
    name: 'Chinedu Okafor',
    businessName: 'Coal City Footwear',
    localGovt: 'Enugu North',
    sells: [5, 1],
  },
  {
    name: 'Tunde Balogun',
    businessName: 'Eko Home Electronics',
    localGovt: 'Lagos Island',
    sells: [24, 28, 26],
  },
  {
    name: 'Bisi Adeyemi',
    businessName: 'Glow by Bisi',
    localGovt: 'Ibeju-Lekki',
    sells: [15, 17, 14],
  },
  { name: 'Emeka Ugwu', businessName: 'Nsukka Phones', localGovt: 'Nsukka', sells: [18, 20, 21] },
  {
    name: 'Nkechi Eze',
    businessName: 'Mama Nkechi Beauty',
    localGovt: 'Mushin',
    sells: [13, 14, 16],
  },
  {
    name: 'Musa Abdullahi',
    businessName: 'Musa & Sons Watches',
    localGovt: 'Apapa',
    sells: [3, 6],
  },
  {
    name: 'Kunle Adebayo',
    businessName: 'Ikeja Gadget House',
    localGovt: 'Ikeja',
    sells: [19, 22, 23, 27],
  },
  { name: 'Sade Ogunleye', businessName: 'Sade Wears', localGovt: 'Eti-Osa', sells: [2, 4, 6] },
  {
    name: 'Ifeanyi Nwosu',
    businessName: 'Alaba Sound & Vision',
    localGovt: 'Ojo',
    sells: [25, 27, 26],
  },
  {
    name: 'Ngozi Ezike',
    businessName: 'Ezike Market Store',
    localGovt: 'Enugu-Ezike',
    sells: [4, 7, 13, 5],
  },
  {
    name: 'Segun Lawal',
    businessName: 'Oshodi Phone Corner',
    localGovt: 'Oshodi-Isolo',
    sells: [18, 19, 20, 22],
  },
];

interface Trade {
  readonly words: readonly [string, ...string[]];
  readonly sells: readonly number[];
}

/** What the sellers after them may call themselves, beside what they sell. */
export const TRADES: readonly Trade[] = [
  { words: ['Fabrics', 'Clothing', 'Fashion House', 'Boutique'], sells: [7, 2, 4] },
  { words: ['Footwear', 'Leather Works', 'Shoes & Bags'], sells: [5, 1] },
  { words: ['Beauty Shop', 'Skincare', 'Cosmetics'], sells: [13, 14, 16, 17] },
  { words: ['Phones', 'Gadgets', 'Phone Hub'], sells: [18, 20, 21] },
  { words: ['Electronics', 'Home Store', 'Appliances'], sells: [24, 26, 28] },
  { words: ['Computers', 'Tech World', 'Laptop Clinic'], sells: [19, 22, 23] },
  { words: ['Jewellers', 'Watches & Gold', 'Accessories'], sells: [3, 6, 15] },
  { words: ['Music & Film', 'Sound Store'], sells: [25, 27] },
];

/** What they put before it. */
export const FRONTS = [
  'Abuja Road',
  'Aminat',
  'Blessed Hands',
  'Bright',
  'Chioma',
  'Danfo',
  'Divine',
  'Emerald',
  'Golden',
  'Greater',
  'Hajia',
  'Heritage',
  'Ijeoma',
  'Iya Basira',
  'Jumoke',
  'Kings',
  'Lekki',
  'Marina',
  'New Era',
  'Obalende',
  'Ogbete',
  'Oluchi',
  'Omotola',
  'Peace',
  'Prime',
  'Royal',
  'Savannah',
  'Sunrise',
  'Tejuosho',
  'Unity',
] as const;
