export type { PaystackOptions } from './paystack/client.js';
export { createPaystack } from './paystack/client.js';
export { type PaymentNotice, readWebhook, signWebhook } from './paystack/webhook.js';
export type * from './port.js';
