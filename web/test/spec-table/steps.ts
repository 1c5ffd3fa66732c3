import type { Expected } from './expected.js';
import type { Endpoint } from './market.js';
import type { Read } from './row.js';
import type { Stage } from './stage.js';

export const asSeller = (stage: Stage) => stage.signIn('seller');
export const asAdmin = (stage: Stage) => stage.signIn('admin');
export const asSubAdmin = (stage: Stage) => stage.signIn('sub-admin');

export const failure = (message = 'The market said no') => ({ success: false, message }) as const;

/** Runs the steps one after the other. */
export const sequence =
  (...ways: readonly ((stage: Stage) => Promise<void> | void)[]) =>
  async (stage: Stage): Promise<void> => {
    for (const way of ways) await way(stage);
  };

export const press =
  (...names: readonly Expected[]) =>
  (stage: Stage) =>
    stage.press(...names);

const createFormFiller =
  (usual: Readonly<Record<string, string>>) =>
  async (stage: Stage, change: Readonly<Record<string, string>> = {}): Promise<void> => {
    for (const [label, value] of Object.entries({ ...usual, ...change }))
      await stage.type(label, value);
  };

const signUpForm = createFormFiller({
  Name: 'Ifeanyi Eze',
  'Business name': 'Coal City Footwear',
  'Phone number': '08065512904',
  Password: 'adire-and-indigo',
});

export async function signUp(stage: Stage, change: Readonly<Record<string, string>> = {}) {
  await signUpForm(stage, change);
  await stage.press(/^I agree/, 'SIGN UP');
}

export async function logIn(stage: Stage) {
  await createFormFiller({ 'Business Name': 'Coal City Footwear', Password: 'coal-city' })(stage);
  await stage.press('LOG IN');
}

const MIB = 1024 * 1024;

/** A picked file of `mib` MiB plus `bytes` bytes. */
export const file = (name: string, type = 'image/jpeg', mib = 0, bytes = 1) =>
  new File([new Uint8Array(mib * MIB + bytes)], name, { type });

export const pictures = (count: number) =>
  Array.from({ length: count }, (_, n) => file(`picture-${n}.jpg`));

const productForm = createFormFiller({
  'Product name': 'Suede boots',
  'Your price': '10000',
  Description: 'Made in Enugu.',
});

/** Fills the product form and picks pictures, up to the press of Upload. */
export async function fillUpload(stage: Stage, count = 2) {
  await stage.press('Category', 'Fashion', 'Footwears');
  await stage.press('State and Local Govt', 'Enugu', 'Nsukka');
  await productForm(stage);
  await stage.pick(...pictures(count));
  await stage.until(() => {
    if (stage.find('.Pictures-previews img').length < count)
      throw new Error('Pictures are on their way');
  });
}

export const upload = sequence(fillUpload, press('Upload'));

/** Fills everything that the payment form asks for. */
export const fillPayment = createFormFiller({
  'Full Name': 'Ngozi Obi',
  'Email address': 'ngozi@example.com',
  'Home Address': '12 Allen Avenue, Ikeja',
  'Phone number': '08034127765',
});

/** A value in the body of the last such call, at a path; lists and objects as JSON. */
export function sentValue(endpoint: Endpoint, ...path: readonly string[]): Read {
  return (stage) => {
    const bodies = stage.callsTo(endpoint);
    if (bodies.length === 0) return undefined;
    const found = path.reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
      bodies.at(-1)?.body,
    );
    return typeof found === 'string' || typeof found === 'number' ? found : JSON.stringify(found);
  };
}

/** How often a call was made, in all. */
export const callCount = (endpoint: Endpoint): Read =>
  Object.assign((stage: Stage) => stage.callsTo(endpoint).length, { atRest: true } as const);

/** How many elements a selector finds. */
export const count =
  (selector: string): Read =>
  (stage) =>
    stage.find(selector).length;

/** The text of the elements that a selector finds. */
export const texts =
  (selector: string, between = ', '): Read =>
  (stage) =>
    stage
      .find(selector)
      .map((one) => one.textContent?.replace(/\s+/g, ' ').trim())
      .join(between);

export const attribute =
  (selector: string, name: string): Read =>
  (stage) =>
    stage.find(selector)[0]?.getAttribute(name) ?? '';

/** A value in auth-storage; lists and objects as JSON. */
export const storedValue =
  (name: string): Read =>
  (stage) => {
    const state: unknown = Reflect.get(Object(stage.kept('auth-storage')), 'state');
    const value: unknown = Reflect.get(Object(state), name);
    return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
  };

/** A parameter of the last search call. */
export const lastSearchParam =
  (name: string): Read =>
  (stage) => {
    const last = stage.callsTo('GET /v1/products/search').at(-1);
    return last === undefined ? undefined : (last.query[name] ?? 'not said');
  };
