import { DELIVERY_FEE, DELIVERY_THRESHOLD, formatNaira } from '@oja/domain/rules';

/** The fee and its threshold, as they are named to shoppers: '₦800.00' and '₦5,000.00'. */
export const FEE = formatNaira(DELIVERY_FEE, { alwaysKobo: true });
const THRESHOLD = formatNaira(DELIVERY_THRESHOLD, { alwaysKobo: true });

/** The delivery rule in the words that shoppers were promised. */
export const FEE_RULE = `Purchases below ${THRESHOLD} incur a delivery fee of ${FEE}.`;
export const NO_FEE_RULE = `Purchases above ${THRESHOLD} have no fee and are delivered in 24 hours.`;
