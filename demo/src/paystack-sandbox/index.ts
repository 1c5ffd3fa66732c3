export { adoptPayment } from './adopt.js';
export { createSandbox, type Sandbox } from './sandbox.js';
export { webhookSender } from './webhooks.js';
