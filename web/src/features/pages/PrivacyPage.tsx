import { BarePage, SupportEmail } from './BarePage.js';
import * as styles from './BarePage.module.css';

export default function PrivacyPage() {
  return (
    <BarePage title="Privacy Policy" text>
      <div className={styles.prose}>
        <p className={styles.summary}>
          We ask for little, say what it is for, and keep it safe. This page tells you what we
          collect, how we use it, who else sees it, and what you can ask of us under the Nigeria
          Data Protection Act.
        </p>

        <h2>Information we collect</h2>
        <h3>Personal information</h3>
        <p>
          When you buy: your full name, e-mail address, home address and phone number. When you
          sell: your name, business name and phone number, an e-mail address if you want e-mails,
          and a password, of which we store only a fingerprint. When you write to us: your name,
          e-mail address and message.
        </p>
        <h3>Demographic information</h3>
        <p>
          The state and local government from which a seller offers goods, and the place by which
          you filter them. We do not ask for your age, religion, tribe or gender.
        </p>
        <h3>Financial information</h3>
        <p>
          What you paid, when, by which kind of payment, and its reference. Card and bank details
          are typed on the page of our payment provider, Paystack; we never see or keep card
          numbers. Sellers may give us the account to which we pay what they earn.
        </p>
        <h3>Usage information</h3>
        <p>
          Your cart, your last orders and, if you sell, your sign-in are kept in your own browser.
          Our servers note technical facts of each request, such as its time and address, so that
          the market keeps running and stays safe. We use no advertising cookies and do not follow
          you across the internet.
        </p>

        <h2>How we use your information</h2>
        <ul>
          <li>To take your order, have it delivered and hold your payment until you confirm it.</li>
          <li>To send you the receipt and remind you of deliveries that are not confirmed.</li>
          <li>To pay sellers, settle complaints and give refunds.</li>
          <li>To answer you when you write to us.</li>
          <li>To prevent fraud, and to meet what tax and consumer laws ask of us.</li>
        </ul>
        <p>We do not sell your information, and we do not send advertising.</p>

        <h2>Third parties</h2>
        <p>
          We share only what a task needs: with Paystack your e-mail address and the amount, to take
          the payment; with the rider your name, address and phone number, to deliver; with the
          service that carries our e-mail, the message to you. Sellers see what was ordered, never
          your name, address, phone number or e-mail address. Authorities receive information only
          where the law obliges us. Links to other sites, such as the payment page, lead to places
          with policies of their own.
        </p>

        <h2>Your choices</h2>
        <p>
          You can ask to access, correct or delete the information we hold about you by contacting
          us at <SupportEmail />. We answer within 30 days. After a delivery is confirmed, its
          record can be removed: what identified you can then be read by nobody, not even by us.
          While an order is open we need your details to deliver it. If you are not content with our
          answer, you can turn to the Nigeria Data Protection Commission.
        </p>

        <h2>Security</h2>
        <p>
          Names, addresses, phone numbers and e-mail addresses are stored encrypted, each order
          under a key of its own. Connections are encrypted, passwords are stored as fingerprints,
          and only those who arrange deliveries can see a buyer’s details. No system is beyond all
          attack: should your information ever be exposed, we tell you and the Commission.
        </p>

        <h2>Changes</h2>
        <p>When this policy changes, the new one stands on this page before it takes effect.</p>
      </div>
    </BarePage>
  );
}
