export { type Adopted, type AdoptedPayment, adoptPayment } from './adopt.js';
export { FAULTS, type FaultKind } from './faults.js';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.js';
export { type SendWebhook, webhookSender } from './webhooks.js';
