import { delivery } from './money/delivery.js';
import { myOrders } from './money/my-orders.js';
import { paymentForm } from './money/payment-form.js';
import { verification } from './money/verification.js';
import type { Row } from './row.js';

/** Paying, and confirming the delivery. */
export const money: readonly Row[] = [...paymentForm, ...verification, ...delivery, ...myOrders];
