import { pagePaths } from '@oja/contracts/pages';
import { FEE_RULE, NO_FEE_RULE } from '../../ui/delivery-rule.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { BarePage, SupportEmail } from './BarePage.js';
import * as styles from './BarePage.module.css';

export default function TermsPage() {
  return (
    <BarePage title="Terms and Conditions" text>
      <div className={styles.prose}>
        <p className={styles.summary}>
          These are the rules of the market, for those who buy and for those who sell. By ordering
          or by opening a store you agree to them. They are written in plain words; ask us where one
          is not clear.
        </p>

        <h2>1. What Oja is</h2>
        <p>
          Oja is a market on the internet for buyers and sellers in Nigeria. The goods belong to the
          sellers, each of whom trades under their own business name. Oja shows the goods, takes the
          payment, holds it, and gives it on once the delivery is confirmed.
        </p>

        <h2>2. Buying</h2>
        <ul>
          <li>
            You need no account to buy. You must be 18 or older, or buy with a parent or guardian.
          </li>
          <li>
            Prices are in naira and are those shown when you pay. If a price changes while you shop,
            you are shown the new total and asked again.
          </li>
          <li>{`${FEE_RULE} ${NO_FEE_RULE}`}</li>
          <li>
            Give a name, an address and a phone number at which the rider can find you. What you
            give is used only as our{' '}
            <Link className={layout.link} to={pagePaths.privacy}>
              Privacy Policy
            </Link>{' '}
            says.
          </li>
        </ul>

        <h2>3. All transactions go through Oja</h2>
        <p>
          All transactions must go through Oja’s account. Never pay a seller or a rider directly, in
          cash, by transfer or in any other way: such a payment is not protected, and we cannot give
          it back. A seller who asks for one breaks these terms. Please tell us.
        </p>

        <h2>4. Your money, delivery and refunds</h2>
        <ul>
          <li>
            We hold your payment until you confirm that you have received the product. Only then is
            it released to the seller.
          </li>
          <li>
            Check the goods before you press Yes. Yes pays the seller and cannot be taken back. No
            keeps the money where it is.
          </li>
          <li>
            From 48 hours after payment you can report a problem with the goods of any seller in
            your order. Their money stays held while we look into it with both sides.
          </li>
          <li>If a product is not delivered, you get a refund.</li>
          <li>
            A refund goes back to the card or account that paid. The delivery fee is refunded when
            everything in the order is.
          </li>
        </ul>

        <h2>5. Selling</h2>
        <ul>
          <li>
            A store is free. You open it under your business name, and the name must be your own.
          </li>
          <li>
            Show your goods as they are: your own pictures, a true description, New or Used as it
            is. Offer only what you have and may lawfully sell.
          </li>
          <li>
            Oja adds 15 % to the price you type when you upload a product, and 10 % when you change
            it. You receive what you typed; buyers see the sum.
          </li>
          <li>Mark a product Unavailable as soon as you cannot deliver it.</li>
          <li>Sellers must be courteous to buyers, to riders and to each other.</li>
        </ul>

        <h2>6. Faulty products</h2>
        <p className={fieldStyles.sign}>
          A seller who sells a faulty product is charged a damage of <b>₦30,000</b>.
        </p>
        <p>
          Faulty means broken, not working, counterfeit, or not what the description says, and not
          shown as such before the sale. The buyer’s money for it is given back.
        </p>

        <h2>7. What may not be sold</h2>
        <p>
          Stolen or counterfeit goods, weapons, drugs, medicines that need a prescription, expired
          or unregistered food and cosmetics, and anything else the laws of Nigeria forbid.
        </p>

        <h2>8. Reviews</h2>
        <p>
          Write about your own experience. We may remove what insults, threatens, gives away private
          details or advertises.
        </p>

        <h2>9. Suspension</h2>
        <p>
          We may suspend a store that breaks these terms. Its goods leave the market; orders already
          paid are carried out or refunded.
        </p>

        <h2>10. Liability and law</h2>
        <p>
          We answer for the money we hold and for what we do ourselves. Sellers answer for their
          goods. Nothing here takes away the rights that the Federal Competition and Consumer
          Protection Act gives you. The laws of the Federal Republic of Nigeria apply. Talk to us
          first: most things are settled with one message.
        </p>

        <h2>11. Changes</h2>
        <p>
          When these terms change, the new ones stand on this page. Orders already paid keep the
          terms under which they were placed.
        </p>

        <h2>12. Contact</h2>
        <p>
          Questions about these terms: <SupportEmail />.
        </p>
      </div>
    </BarePage>
  );
}
