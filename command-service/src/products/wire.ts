import type { BodyOf, Calls } from '@oja/contracts';
import { type AttributeName, attributeNames, type ChosenDetails, nairaToKobo } from '@oja/domain';

/** What a seller may say of a product, as the wire spells it. */
export type ProductInput = BodyOf<Calls['updateProduct']>;
type Attributes = NonNullable<ChosenDetails['attributes']>;

const isText = (name: AttributeName): name is Exclude<AttributeName, 'condition'> =>
  name !== 'condition';

/** Those that were sent. An empty one clears what stood there; in a new product it says nothing. */
function attributesOf(input: ProductInput): Attributes {
  return Object.fromEntries(
    attributeNames.filter(isText).flatMap((name) => {
      const value = input[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** From the names and naira of the wire to those of the domain; what was not said stays unsaid. */
export function chosenDetails(input: ProductInput): ChosenDetails {
  const attributes = attributesOf(input);
  return {
    name: input.prod_name,
    price: input.price === undefined ? undefined : nairaToKobo(input.price),
    description: input.description,
    state: input.state,
    localGovt: input.local_govt,
    condition: input.cond ?? input.prod_condition,
    attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
  };
}
