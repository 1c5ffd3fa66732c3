export * from './business-name.js';
export * from './contact.js';
export * from './decider.js';
export * from './inbox.js';
export * from './names.js';
export * from './operations.js';
export * from './product/index.js';
export * from './review.js';
export * from './rules/index.js';
export * from './rules/user-input.js';
export * from './seller.js';
export {
  codeExpiresAt,
  isLetterEvent,
  type SellerLetterCommand,
  type SellerLetterEvent,
  type SellerLetters,
  sellerLetterEvents,
  triesLeft,
} from './seller-letters.js';
export * from './transaction/index.js';
