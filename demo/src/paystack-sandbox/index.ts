export { adoptPayment } from './adopt.js';
export { FAULTS } from './faults.js';
export { createSandbox, type Sandbox } from './sandbox.js';
export { type SendWebhook, webhookSender } from './webhooks.js';
