export type { PaystackOptions } from './paystack/call.js';
export { createPaystack } from './paystack/client.js';
export { signWebhook } from './paystack/signature.js';
export { type PaymentNotice, readWebhook } from './paystack/webhook.js';
export type * from './port.js';
