const orders = ['A-Z', 'Z-A', 'newest', 'trending'];
/** The fields that each order sorts by. */
export const sorts = {
  'A-Z': [{ field: 'nameKey', order: 'asc' }],
  'Z-A': [{ field: 'nameKey', order: 'desc' }],
  newest: [{ field: 'listedAt', order: 'desc' }],
  trending: [
    { field: 'trending', order: 'desc' },
    { field: 'listedAt', order: 'desc' },
  ],
};

const word = ({ nameKey }) => ({ query: nameKey.split(' ')[0] });
const around = ({ price }) => ({ min_price: price / 200, max_price: price / 50 });
const shelf = ({ category }) => ({ category });
const row = ({ subcategory }) => ({ subcategory });
const place = ({ state, localGovt }) => ({ state, localGovt });
const condition = ({ shownCondition }) => ({ condition: shownCondition });
/** What people search for, with weights. All conditions of a search come from one product, which meets them. */
const wishes = [
  [20, [word]],
  [10, [({ nameKey }) => ({ query: nameKey.split(' ').slice(0, 2).join(' ') })]],
  [15, [row]],
  [12, []],
  [10, [shelf]],
  [6, [place]],
  [5, [row, place]],
  [4, [({ state }) => ({ state })]],
  [4, [around]],
  [3, [row, around]],
  [3, [condition]],
  [2, [shelf, condition]],
  [2, [word, place]],
  [2, [word, around, condition]],
  [1, [({ businessName }) => ({ seller: businessName })]],
  [1, [() => ({ query: 'nothing like it' })]],
];
const drawn = wishes.flatMap(([times, choices]) => Array(times).fill(choices));

/** Searches in that mix, the same in every run. Each finds the product it came from, except 'nothing like it'. */
export function* searches(goods) {
  for (let i = 0; ; i += 1) {
    const one = goods[(i * 7919) % goods.length];
    const choices = drawn[(i * 37) % drawn.length];
    yield { ...Object.assign({}, ...choices.map((of) => of(one))), sort: orders[i % 4] };
  }
}
