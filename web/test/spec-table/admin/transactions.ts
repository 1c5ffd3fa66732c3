import { fireEvent } from '@testing-library/react';
import { delivered, ORDER_ID, transaction } from '../orders.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import {
  asAdmin,
  asSubAdmin,
  callCount,
  count,
  failure,
  press,
  sequence,
  texts,
} from '../steps.js';

const LIST = 'GET /v1/buyers/transactions';
const REMOVE = 'DELETE /v1/buyers/:buyerId';
const IMAGES = 'GET /v1/products/:productId/images';
const PRODUCT = 'GET /v1/product/:id';
const both = (stage: Stage) =>
  stage.answers(LIST, 200, { ok: true, result: [transaction, delivered], nextCursor: null });
const buyers = at('/admin-dashboard/sellers?view=buyers', sequence(asAdmin, both));
const detail = at(`/admin-dashboard/${ORDER_ID}`, asAdmin);
const remove = press('remove delivered', 'Remove');

/** The text of one cell in the first row; columns count from 1. */
const cell = (column: number) => texts(`tbody tr:first-child > :nth-child(${column})`);

async function pressRow(stage: Stage) {
  await stage.sees('Ngozi Obi');
  const row = stage.find('tbody tr')[0];
  if (row) fireEvent.click(row);
}

const table: readonly Row[] = [
  ...[
    'Transaction ID',
    'Status',
    'Reference',
    'Amount',
    'Paid At',
    'Created At',
    'Currency',
    'Channel',
    'Buyer Name',
    'Home Address',
    'Phone Number',
    'Recieved',
    'P_ID',
    'Qty',
    'Price',
    'Seller ID',
  ].map((name, place) =>
    buyers(`column ${place + 1}`, name, texts(`thead th:nth-child(${place + 1})`)),
  ),
  buyers('columns in all', 16, count('thead th')),
  buyers('rows, one a product', 3, count('tbody tr')),
  buyers('status', 'success', cell(2)),
  buyers('amount', '₦54,050', cell(4)),
  buyers('currency', 'NGN', cell(7)),
  buyers('channel', 'card', cell(8)),
  buyers('buyer name', 'Ngozi Obi', cell(9)),
  buyers('home address', '12 Allen Avenue, Ikeja', cell(10)),
  buyers('phone number', '08034127765', cell(11)),
  buyers('product', 'p1', cell(13)),
  buyers('quantity', '1', cell(14)),
  buyers('price', '₦31,050', cell(15)),
  buyers('seller', 's1', cell(16)),
  buyers('what was delivered', 'DELIVERED'),
  buyers('rows highlighted as delivered', 1, count('tbody tr.Buyers-deliveredRow')),
  buyers('a way on', 'refresh table', 'button'),
  buyers('refresh table pressed', 2, callCount(LIST), press('refresh table')),
  buyers('a way on', 'remove delivered', 'button'),
  at('/admin-dashboard/sellers?view=buyers', sequence(asSubAdmin, both))(
    'to a sub-admin',
    'remove delivered',
    'absent',
  ),
  buyers(
    'removed: whose records',
    'b2',
    (stage) =>
      stage
        .callsTo(REMOVE)
        .map(({ params }) => params.buyerId)
        .join(),
    remove,
  ),
  buyers('removed: the table is read again', 2, callCount(LIST), remove),
  buyers('what is found', 'Orders2', texts('.Buyers-totals div:first-child')),
  buyers('its filters', 'Needs a person', 'option'),
  buyers('its filters', 'Seller: all', 'option'),
  at('/admin-dashboard/sellers?view=buyers&recieved=WAITING', sequence(asAdmin, both))(
    'nobody has to look',
    'No transaction matches',
    'heading',
  ),
  buyers('a row pressed', `/admin-dashboard/${ORDER_ID}`, 'address', pressRow),
  buyers('the table fails', 'Failure retrieving the data!', 'heading', (stage) =>
    stage.answers(LIST, 400, failure()),
  ),
];

/** The table of buyers' payments, and one transaction of it. */
export const transactions: readonly Row[] = [
  ...table,
  at('/admin-dashboard/no%20id', asAdmin)(
    'an id that no transaction can have',
    'There is no such transaction',
    'heading',
    (stage) => stage.answers('GET /v1/transactions/:id', 400, failure('id is not an id')),
  ),
  detail('its products by seller', /^Musa & Sons Watches/, 'heading'),
  detail('its products by seller', /^Coal City Footwear/, 'heading'),
  detail('whom to call for the goods', '08065512904', 'link'),
  detail('where the goods are collected', /^Collect in /),
  detail('where they are is not known', 'Error fetching where to collect it', 'text', (stage) =>
    stage.answers(PRODUCT, 400, failure()),
  ),
  detail('the images of its products', 4, count('.SellerShare-pictures img')),
  detail('a product without images', 'No image with that product_id', 'text', (stage) =>
    stage.answers(IMAGES, 200, { success: true, result: [] }),
  ),
  detail('a product that is not there', 'No image with that product_id', 'text', (stage) =>
    stage.answers(IMAGES, 404, failure()),
  ),
  detail('the images fail', 'Error fetching product image', 'text', (stage) =>
    stage.answers(IMAGES, 400, failure()),
  ),
];
