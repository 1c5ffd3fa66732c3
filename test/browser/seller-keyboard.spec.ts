import { expect, type Page, test } from '@playwright/test';
import { type Market, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { tabTo, typeInto } from './support/keyboard.js';
import { closePages } from './support/pages.js';
import { expectUploaded, files, freshPage, previews, SECRET } from './support/seller.js';

const folder = temporaryFolder();
let market: Market;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.afterAll(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openSampleMarket(folder.path);
  page = await freshPage(browser);
  // Listened for from the start: a listener that is added just before the press may reach the browser
  // after it, and the chooser would have opened unseen.
  page.on('filechooser', () => undefined);
});
test.afterAll(async () => {
  await page?.context().close();
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const button = (name: string | RegExp) => page.getByRole('button', { name });

/** Opens a picker, chooses in both of its lists, and expects the focus back on the opener. */
async function pickByKeys(name: RegExp, first: string, second: string): Promise<void> {
  const opener = button(name);
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByRole('button', { name: first, exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('button', { name: second, exact: true }));
  await page.keyboard.press('Space');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
}

test('signs up with the keyboard alone', async () => {
  await page.goto(`${market.url}/register`);
  await expect(page.getByRole('heading', { name: 'SIGN UP' })).toBeVisible();
  await typeInto(page, field('Name'), 'Ngozi Eze');
  await typeInto(page, field('Business name'), 'Keys Only Store');
  await typeInto(page, field('Phone number'), '07000000009');
  await typeInto(page, page.getByLabel('Password', { exact: true }), SECRET);
  await tabTo(page, button('Show password'));
  await page.keyboard.press('Space');
  await expect(button('Hide password')).toBeFocused();
  await expect(field('Password')).toHaveValue(SECRET);
  await tabTo(page, page.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await expect(page.getByText('Business name is available!')).toBeVisible();
  await tabTo(page, button('SIGN UP'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/upload-product$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('is led to what is missing', async () => {
  await tabTo(page, button('Upload'));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please select a subcategory!')).toBeVisible();
  await expect(button(/^Category/)).toBeFocused();
  // Reload to start at the top of the page; the next test fills the form in order.
  await page.reload();
  await expect(button(/^Category/)).toBeVisible();
});

test('uploads a watch with the keyboard alone', async () => {
  await pickByKeys(/^Category/, 'Fashion', 'Watches');
  await pickByKeys(/^State/, 'Enugu', 'Nsukka');

  await tabTo(page, page.locator('input[type=file]'));
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(await files(['red', 'lime', 'blue']));
  await expect(previews(page)).toHaveCount(3);
  for (const way of ['back', 'forward']) {
    await page.keyboard.press('Shift+Tab');
    await expect(button(`Move picture 3 ${way}`)).toBeFocused();
  }
  await page.keyboard.press('Shift+Tab');
  await expect(previews(page).last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(previews(page)).toHaveCount(2);
  await expect(page.locator('input[type=file]')).toBeFocused();

  await typeInto(page, field('Product name'), 'Field watch');
  await typeInto(page, field('Color'), 'steel');
  await tabTo(page, page.getByRole('combobox', { name: 'Gender' }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('combobox', { name: 'Gender' })).toHaveValue('Female');
  await typeInto(page, field('Description'), 'Keeps time.');
  await typeInto(page, field('Your price'), '20000');
  await expect(field('Your price')).toHaveValue('20,000');
  await tabTo(page, button('Upload'));
  await page.keyboard.press('Space');
  await expectUploaded(page, 'Field watch');
});

test('turns the switch, asks for a removal, and takes it back by Escape', async () => {
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: /^(Una|A)vailable/ }));
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: /^Unavailable/ })).toBeFocused();
  await tabTo(page, button(/^Remove/));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Remove Field watch?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button(/^Remove/)).toBeFocused();
});

test('changes goods chosen together, and puts pictures in another order', async () => {
  const main = page.getByRole('main');
  await page.goto(`${market.url}/dashboard`);
  await expect(main.getByRole('article')).toHaveCount(1);
  await tabTo(page, button('Choose several'));
  await page.keyboard.press('Enter');
  await tabTo(page, main.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await expect(page.getByText('1 chosen')).toBeVisible();
  await tabTo(page, button('Make available'));
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 product made available')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Available/ })).toBeVisible();
  await expect(button('Choose several')).toBeFocused();

  await tabTo(page, main.getByRole('link', { name: /^Edit/ }));
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Update product');
  await expect(heading).toBeFocused();
  await tabTo(page, page.getByRole('checkbox', { name: /^Pictures/ }));
  await page.keyboard.press('Space');
  await expect(previews(page)).toHaveCount(2);
  const picture = (n: number) => previews(page).nth(n).locator('img').getAttribute('src');
  const second = await picture(1);
  await tabTo(page, button('Move picture 2 forward'));
  await page.keyboard.press('Enter');
  await expect.poll(() => picture(0)).toBe(second);
  await expect(button('Move picture 1 forward')).toBeFocused();
  await tabTo(page, button('update Product'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/single-product\/\d+\/[\w-]+$/);
  await page.goBack();
  await expect(heading).toHaveText('Update product');
  await expect(heading).toBeFocused();
  await tabTo(page, page.getByRole('checkbox', { name: /^Pictures/ }));
  await page.keyboard.press('Space');
  await expect.poll(() => picture(0)).toBe(second);
});

test('counts what there is, adds pictures and takes one away', async () => {
  await tabTo(page, page.locator('input[type=file]'));
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(await files(['yellow', 'black']));
  await expect(previews(page)).toHaveCount(4);
  // Three stops back: over the two arrows of the last picture to the picture itself.
  for (const _ of ['back', 'forward', 'picture']) await page.keyboard.press('Shift+Tab');
  await expect(previews(page).last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(previews(page)).toHaveCount(3);
  await expect(page.locator('input[type=file]')).toBeFocused();
  await tabTo(page, page.getByRole('checkbox', { name: /^How many do you have/ }));
  await page.keyboard.press('Space');
  await typeInto(page, field('How many do you have?'), '7');
  await tabTo(page, button('update Product'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/single-product\/\d+\/[\w-]+$/);
  await expect(page.getByRole('row', { name: 'Left to sell 7' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Picture \d$/ })).toHaveCount(3);
});
