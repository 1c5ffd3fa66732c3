import type {
  CommentDocument,
  NotificationDocument,
  PayoutDocument,
  ProductDocument,
  SaleDocument,
  SellerDocument,
  StoreDocument,
  TransactionDocument,
} from '@oja/contracts/models';
import { fold } from '@oja/domain/rules';
import type { Sealer } from '@oja/platform';

const at = '2026-03-01T10:00:00.000Z';

export const productDocument = (change: Partial<ProductDocument> = {}): ProductDocument => {
  const name = change.name ?? 'Ankara tote';
  return {
    productId: 'p-1',
    sellerId: 's-1',
    name,
    nameKey: fold(name),
    price: 1_150_000,
    sellerPrice: 1_000_000,
    condition: null,
    shownCondition: 'New',
    description: 'A bag of wax print.',
    state: 'Lagos',
    localGovt: 'Ikeja',
    subcategoryId: 1,
    subcategory: 'Bags',
    category: 'Fashion',
    attributes: { color: 'blue', brand: 'Adire' },
    images: ['one.webp', 'two.webp'],
    stock: null,
    status: 'AVAILABLE',
    businessName: 'Bola Bags',
    businessNameKey: 'bola-bags',
    isSuspended: false,
    shown: true,
    listedAt: at,
    updatedAt: at,
    trending: 0,
    openTransactions: 0,
    ...change,
  };
};

export const storeDocument = (change: Partial<StoreDocument> = {}): StoreDocument => ({
  sellerId: 's-1',
  businessName: 'Bola Bags',
  businessNameKey: 'bola-bags',
  since: at,
  isSuspended: false,
  isErased: false,
  newest: { productId: 'p-1', listedAt: at, state: 'Lagos', localGovt: 'Ikeja' },
  ordersConfirmed: 3,
  ...change,
});

export async function sellerDocument(
  sealer: Sealer,
  sellerId: string,
  change: Partial<SellerDocument> = {},
): Promise<SellerDocument> {
  const sealed = await sealer.seal(`seller:${sellerId}`, `seller-${sellerId}`, {
    name: `Name of ${sellerId}`,
    phone: '08030000000',
  });
  return {
    sellerId,
    ...sealed,
    businessName: 'Bola Bags',
    businessNameKey: 'bola-bags',
    isAdmin: false,
    isSubAdmin: false,
    isStaff: false,
    isSuspended: false,
    registeredAt: at,
    payoutAccount: null,
    letters: { asks: 0, asked: null, email: null },
    lettersSince: null,
    erased: false,
    ...change,
  };
}

export const ORDER_ID = '5f0c7a52-7d0e-4c83-9b7c-2f5b7a0d9e41';
export const SECRET = 'abcdefghijklmnopqrstu_';

export async function transactionDocument(
  sealer: Sealer,
  change: Partial<TransactionDocument> = {},
): Promise<TransactionDocument> {
  const transactionId = change.transactionId ?? ORDER_ID;
  const { secret, ...buyer } = await sealer.seal(
    `transaction:${transactionId}`,
    `transaction-${transactionId}`,
    {
      fullName: 'Ada Obi',
      email: 'ada@example.com',
      homeAddress: '1 Market Road',
      phoneNumber: '08031111111',
      secret: SECRET,
    },
  );
  return {
    transactionId,
    buyerId: transactionId,
    status: 'success',
    reference: transactionId,
    amount: 3_530_000,
    subtotal: 3_450_000,
    deliveryFee: 80_000,
    currency: 'NGN',
    channel: 'card',
    placedAt: at,
    paidAt: at,
    deliveredAt: null,
    notYetAt: null,
    buyer,
    secret,
    received: 'PENDING',
    closed: false,
    unconfirmed: true,
    lines: [
      line('p-1', 's-1', 'Ankara tote', 2, 1_150_000),
      line('p-2', 's-2', 'Wax shoe', 1, 1_150_000),
    ],
    shares: [share('s-1', 2_000_000, 2_300_000), share('s-2', 1_000_000, 1_150_000)],
    refunds: [],
    removed: false,
    ...change,
  };
}

const line = (
  productId: string,
  sellerId: string,
  name: string,
  quantity: number,
  price: number,
) => ({ productId, sellerId, businessName: sellerId, name, image: 'one.webp', quantity, price });

const share = (sellerId: string, amount: number, paid: number) =>
  ({
    sellerId,
    businessName: sellerId,
    share: amount,
    paid,
    status: 'held',
    complaint: null,
  }) as const;

export const noticeDocument = (
  change: Partial<NotificationDocument> = {},
): NotificationDocument => ({
  sellerId: 's-1',
  eventId: 'paid',
  type: 'PaymentVerified',
  transactionId: ORDER_ID,
  position: '00000000000000000007',
  createdAt: at,
  message: 'New order for:Bag,Shoe',
  told: 'New order',
  lines: [
    { productId: 'p-1', name: 'Bag', quantity: 1, image: 'one.webp' },
    { productId: 'p-2', name: 'Shoe', quantity: 2, image: null },
  ],
  ...change,
});

export const commentDocument = (change: Partial<CommentDocument> = {}): CommentDocument => ({
  reviewId: 'r-1',
  businessName: null,
  sellerId: null,
  text: 'Fine goods',
  stars: 5,
  at,
  position: '00000000000000000001',
  ...change,
});

export const payoutDocument = (change: Partial<PayoutDocument> = {}): PayoutDocument => ({
  sellerId: 's-1',
  transactionId: ORDER_ID,
  amount: 2_000_000,
  method: 'transfer',
  account: null,
  status: 'sent',
  reason: null,
  requestedAt: at,
  endedAt: at,
  ...change,
});

export function saleDocument(change: Partial<SaleDocument> = {}): SaleDocument {
  const document = {
    sellerId: 's-1',
    transactionId: ORDER_ID,
    paid: true,
    paidAt: at,
    paymentReference: ORDER_ID,
    earlyDisputes: [],
    status: 'held' as const,
    payoutMethod: null,
    share: 2_000_000,
    lines: [{ productId: 'p-1', name: 'Ankara tote', image: 'one.webp', quantity: 2 }],
    steps: [{ type: 'PaymentVerified', at, text: 'Paid' }],
    ...change,
  };
  return { searchKey: fold(`Ankara tote ${document.transactionId}`), ...document };
}
