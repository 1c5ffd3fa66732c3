export type { PaystackOptions } from './paystack/call.js';
export { createPaystack } from './paystack/client.js';
export { signWebhook } from './paystack/signature.js';
export { type PaymentNotice, readWebhook } from './paystack/webhook.js';
export type * from './port.js';
export { type Adopted, type AdoptedPayment, adoptPayment } from './sandbox/adopt.js';
export { FAULTS, type FaultKind } from './sandbox/faults.js';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/sandbox.js';
export { type SendWebhook, webhookSender } from './sandbox/webhook-sender.js';
