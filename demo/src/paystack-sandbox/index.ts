export { adoptPayment, createSandbox, type Sandbox } from './sandbox.js';
export { webhookSender } from './webhooks.js';
